import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Variable that all processes of a run inherit: the folder of the run, which is gone with it. */
export const runVariable = 'SVC_ENGINE_RUN';

const pageBytes = 4096;

interface Member {
  readonly pid: number;
  readonly memoryBytes: number;
}

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly memoryBytes: number;
}

/**
 * Processes of a run, on Linux: those of its group or session, those below its first process, and those that have left
 * both and still carry its variable. Elsewhere none are told, and its group is all that can be ended.
 * @param leader null for a container, whose processes others have started: they only carry the variable.
 */
export async function membersOf(leader: number | null, folder: string): Promise<Member[]> {
  const all = await processes();
  const inside = new Set(leader === null ? [] : [leader]);
  // Parents come before children as a rule, but numbers start anew.
  for (let size = -1; size !== inside.size;) {
    size = inside.size;
    for (const { pid, parent, group, session } of all) {
      if (inside.has(parent) || group === leader || session === leader) inside.add(pid);
    }
  }
  const found = await Promise.all(
    all.map(async (one) => (inside.has(one.pid) || (await runOf(one.pid)) === folder ? one : null)),
  );
  return found.filter((one) => one !== null);
}

/** Ends every process of a run, also those that do not listen to SIGTERM or have left its group. */
export async function endMembers(leader: number, folder: string): Promise<void> {
  signalGroup(leader, 'SIGKILL');
  // One that is forked meanwhile is found by the next look.
  for (let round = 0; round < 10; round += 1) {
    const members = (await membersOf(leader, folder)).filter(({ pid }) => pid !== leader);
    if (members.length === 0) return;
    for (const { pid } of members) signal(pid, 'SIGKILL');
    await sleep(20);
  }
}

/** Ends what runs have left whose worker is gone: their folder is no more. */
export async function endOrphans(isOurs: (folder: string) => boolean): Promise<void> {
  for (const { pid } of await processes()) {
    const folder = await runOf(pid);
    if (folder !== null && isOurs(folder) && !existsSync(folder)) signal(pid, 'SIGKILL');
  }
}

export function signalGroup(leader: number, name: NodeJS.Signals): void {
  signal(-leader, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

async function processes(): Promise<Seen[]> {
  const names = process.platform === 'linux' ? await readdir('/proc') : [];
  const seen = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => look(Number(name))));
  return seen.filter((one) => one !== null);
}

async function look(pid: number): Promise<Seen | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name, in brackets, may hold anything.
  const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return null;
  const memoryBytes = Number(rest[17] ?? 0) * pageBytes;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), memoryBytes };
}

/** The run that a process says it is of; null where it says none or may not be asked. */
async function runOf(pid: number): Promise<string | null> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const said = environment.split('\0').find((one) => one.startsWith(`${runVariable}=`));
  return said?.slice(runVariable.length + 1) ?? null;
}
