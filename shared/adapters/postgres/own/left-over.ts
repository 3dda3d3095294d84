import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { program, programEnvironment, type Programs } from './programs.ts';

const lookMs = 20;
/** After this, a stopping server is told to end at once: what was committed is in its log. */
const patienceMs = 5000;

/** Ends the server that a killed process of ours has left running on a cluster; we hold the lock of its folder. */
export async function endLeftOver(programs: Programs, cluster: string): Promise<void> {
  const path = lockOf(cluster);
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return;
  if (process.platform === 'win32') return endByPipe(programs, cluster);
  if (await runsOn(pid, cluster)) return end(pid, cluster);
  const socket = join(lines[4] ?? '', `.s.PGSQL.${lines[3]}`);
  if (await accepts(socket)) {
    throw new Error(`A database server that cannot be seen from here uses ${cluster}; stop its container first`);
  }
  // Its number may be another program's by now, which PostgreSQL would take for a server.
  if (isAlive(pid)) await removeLock(cluster);
}

/** Of a server that does not run. */
export async function removeLock(cluster: string): Promise<void> {
  await rm(lockOf(cluster), { force: true });
}

function lockOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function end(pid: number, cluster: string): Promise<void> {
  signal(pid, 'SIGINT');
  for (let waited = 0; await runsOn(pid, cluster); waited += lookMs) {
    if (waited === patienceMs) signal(pid, 'SIGQUIT');
    await sleep(lookMs);
  }
}

/** Windows has no signals; `pg_ctl` speaks to the server itself, and fails where there is none. */
async function endByPipe(programs: Programs, cluster: string): Promise<void> {
  const args = ['stop', '--pgdata', cluster, '--mode', 'fast'];
  await promisify(execFile)(program(programs, 'pg_ctl'), args, { env: programEnvironment() }).catch(() => undefined);
}

/** A server's working directory is its cluster. */
async function runsOn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({
      stdout: '',
    }));
    return stdout.includes(cluster);
  }
  const [its, ours] = await Promise.allSettled([stat(`/proc/${pid}/cwd`), stat(cluster)]);
  if (its.status === 'rejected' || ours.status === 'rejected') return false;
  return its.value.dev === ours.value.dev && its.value.ino === ours.value.ino;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone by itself.
  }
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(socket);
    client.once('connect', () => {
      client.destroy();
      resolve(true);
    });
    client.once('error', () => resolve(false));
  });
}
