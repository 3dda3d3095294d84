import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Programs of others that read the same logs; none is part of the project. */
export const peerNames = ['hayabusa', 'chainsaw', 'zircolite', 'evtx_dump'] as const;
export type PeerName = (typeof peerNames)[number];

/** A peer as it was found on this machine. */
export interface Peer {
  readonly name: PeerName;
  /** The program, and what comes before its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The folder with what it brings along: rules, mappings, configuration. */
  readonly home: string;
}

/** A command line, to be run in a folder. */
export interface Invocation {
  readonly command: readonly string[];
  readonly cwd: string;
  /** Where what it prints is wanted. */
  readonly printed?: string;
}

/** What a peer is to look for, where, and where to write it. */
export interface Hunt {
  /** A log, or a folder of them. */
  readonly logs: string;
  /** In the form that the peer reads. */
  readonly rules: readonly string[];
  readonly output: string;
}

const programs: Readonly<Record<PeerName, readonly string[]>> = {
  hayabusa: ['hayabusa', 'hayabusa.exe'],
  chainsaw: ['chainsaw', 'chainsaw.exe'],
  zircolite: ['zircolite', 'zircolite.py'],
  evtx_dump: ['evtx_dump', 'evtx_dump.exe'],
};

/** What a peer's home has, and no other folder above the program. */
const landmarks: Readonly<Record<PeerName, string>> = {
  hayabusa: 'rules/config/exclude_rules.txt',
  chainsaw: 'mappings/sigma-event-logs-all.yml',
  zircolite: 'config/config.yaml',
  evtx_dump: '.',
};

/**
 * Finds a peer: the command that the variable of its name holds (`ZIRCOLITE`, words separated by blanks),
 * else a program on the PATH. Its home is what `…_HOME` says, else the folder above the program with
 * what it brings along. Null when there is no such peer here.
 */
export function findPeer(name: PeerName, environment: NodeJS.ProcessEnv = process.env): Peer | null {
  const variable = name.toUpperCase();
  const [program, ...rest] = environment[variable]?.split(' ').filter(Boolean) ?? onPath(name, environment);
  if (program === undefined) return null;
  const home = environment[`${variable}_HOME`] ?? homeAbove(name, rest.at(-1) ?? program);
  return home === null ? null : { name, command: [program, ...rest], home };
}

function onPath(name: PeerName, { PATH = '' }: NodeJS.ProcessEnv): string[] {
  const folders = PATH.split(delimiter).filter(Boolean);
  const found = folders.flatMap((folder) => programs[name].map((program) => join(folder, program))).find(existsSync);
  return found === undefined ? [] : [found];
}

function homeAbove(name: PeerName, program: string): string | null {
  if (!existsSync(program)) return null;
  for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, landmarks[name]))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

/** Hayabusa over a log or a folder with every event and rule, as JSON lines (detection-engine 5.3). */
export function hayabusa(peer: Peer, { logs, rules, output }: Hunt, isFolder: boolean): Invocation {
  const asked = [isFolder ? '-d' : '-f', logs, '-r', ...rules, '-t', 'jsonl', '-o', output];
  const plainly = ['-w', '-C', '-q', '-Q', '-K', '-N', '-b', '-O', '-a', '-A', '-p', 'super-verbose'];
  return { command: [...peer.command, 'dfir-timeline', ...asked, ...plainly], cwd: peer.home };
}

/** Hayabusa's converted copies of the Sigma rules: the folder that HAYABUSA_RULES names, or its own. */
export function hayabusaRules(peer: Peer): string {
  return process.env.HAYABUSA_RULES ?? join(peer.home, 'rules/sigma');
}

/** Chainsaw over a log or a folder, as JSON lines; printed, as the last of a file it writes itself may be lacking. */
export function chainsaw(peer: Peer, { logs, rules, output }: Hunt): Invocation {
  const asked = [logs, ...rules.flatMap((folder) => ['-s', folder]), '-m', landmarks.chainsaw];
  return {
    command: [...peer.command, 'hunt', ...asked, '--jsonl', '-q', '--skip-errors'],
    cwd: peer.home,
    printed: output,
  };
}

/** Zircolite over a log or a folder with rules that it has converted before, as one JSON array. */
export function zircolite(peer: Peer, { logs, rules, output }: Hunt): Invocation {
  const { config, log } = { config: join(peer.home, landmarks.zircolite), log: `${output}.log` };
  const asked = ['-e', logs, '-r', ...rules, '-o', output, '-c', config, '-l', log];
  return { command: [...peer.command, ...asked, '-q', '--no-auto-mode'], cwd: peer.home };
}

/** Zircolite converting Sigma rules with those pipelines; it leaves a `ruleset-….json` in the folder. */
export function zircoliteConversion(peer: Peer, hunt: Hunt, pipelines: readonly string[], folder: string): Invocation {
  return { command: [...zircolite(peer, hunt).command, '-sr', '-p', ...pipelines], cwd: folder };
}
