import { mkdirSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { analyzeFile, loadRulesFrom } from '@svc/engine/node';
import { convertedRules } from './peers-conversion.ts';
import { benchLogs, copyWindowsRules, sigmaFolder } from './peers-input.ts';
import { type Measure, measure } from './peers-measure.ts';
import {
  chainsaw,
  findPeer,
  hayabusa,
  hayabusaRules,
  type Invocation,
  type Peer,
  peerNames,
  zircolite,
} from './peers.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string', multiple: true } },
});
const scratch = join(tmpdir(), 'svc-bench-peers');
const output = join(scratch, 'findings');
/** Runs of a slow program together; its warm-up says how many those are. */
const mostSeconds = 60;

interface Contestant {
  readonly name: string;
  /** Whether the others are compared with it. */
  readonly own: boolean;
  readonly invocation: (log: string) => Invocation;
}

function say(...cells: readonly string[]): void {
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
}

function own(name: string, program: string, args: (log: string) => readonly string[]): Contestant {
  const cwd = process.cwd();
  const invocation = (log: string): Invocation => ({
    command: [process.execPath, resolve(cwd, program), ...args(log)],
    cwd,
  });
  return { name, own: true, invocation };
}

/** Whole analyses; ours keeps its compiled rules from call to call, as any user's does, and prints every match. */
function engines(rules: string): Contestant[] {
  const printed = ['--rules', rules, '--format', 'jsonl', '--max-events', '0'];
  const ours = own('svc analyze', 'dist/cli/main.mjs', (log) => ['analyze', log, ...printed]);
  return [ours, ...peerNames.flatMap((name) => contestant(findPeer(name), rules) ?? [])];
}

function contestant(peer: Peer | null, rules: string): Contestant | null {
  if (peer === null || peer.name === 'evtx_dump') return null;
  const { name } = peer;
  if (name === 'hayabusa') {
    const converted = [hayabusaRules(peer)];
    return { name, own: false, invocation: (logs) => hayabusa(peer, { logs, rules: converted, output }, false) };
  }
  if (name === 'chainsaw') {
    return { name, own: false, invocation: (logs) => chainsaw(peer, { logs, rules: [rules], output }) };
  }
  const converted = convertedRules(peer, rules, join(scratch, 'zircolite'), ['sysmon', 'windows-logsources']);
  return { name, own: false, invocation: (logs) => zircolite(peer, { logs, rules: [converted], output }) };
}

/** Reading alone, in one thread. */
function parsers(): Contestant[] {
  const peer = findPeer('evtx_dump');
  if (peer === null) return [];
  const cwd = process.cwd();
  const parse = fileURLToPath(new URL('peers-parse.mjs', import.meta.url));
  return [
    own('svc lazy', parse, (log) => ['visit', log]),
    own('svc to JSON', parse, (log) => ['json', log]),
    {
      name: peer.name,
      own: false,
      invocation: (log) => ({ command: [...peer.command, '-t', '1', '-o', 'jsonl', log], cwd }),
    },
  ];
}

/** Runs all in turn, round after round, and keeps the best of each. */
function race(contestants: readonly Contestant[], log: string): void {
  const run = ({ invocation }: Contestant): Measure => measure(invocation(log), scratch);
  const rounds = contestants.map((one) =>
    Math.max(1, Math.min(Number(values.runs), Math.floor(mostSeconds / run(one).wall))),
  );
  const best: (Measure | undefined)[] = contestants.map(() => undefined);
  for (let round = 0; round < Number(values.runs); round++) {
    for (const [at, one] of contestants.entries()) {
      if (round >= rounds[at]!) continue;
      const took = run(one);
      if (took.wall < (best[at]?.wall ?? Infinity)) best[at] = took;
    }
  }
  const ours = best.filter((_, at) => contestants[at]!.own);
  for (const [at, { name }] of contestants.entries()) {
    const took = best[at]!;
    const ratios = ours.map((one) => `${ratio(took.wall, one!.wall)} ${ratio(took.cpu, one!.cpu)}`);
    say(name.padEnd(12), `best of ${rounds[at]}`, figures(took, statSync(log).size), ...ratios);
  }
}

function ratio(theirs: number | null, ours: number | null): string {
  return (theirs === null || ours === null ? '-' : `${(theirs / ours).toFixed(2)}x`).padStart(8);
}

function figures({ wall, cpu, peak }: Measure, bytes: number): string {
  return [
    `${wall.toFixed(2)} s`.padStart(9),
    (cpu === null ? '-' : `${cpu.toFixed(2)} s`).padStart(9),
    (peak === null ? '-' : `${Math.round(peak / 1e6)} MB`).padStart(8),
    `${(bytes / 1e6 / wall).toFixed(1)} MB/s`.padStart(12),
  ].join('  ');
}

function wanted({ name, own: ours }: Contestant): boolean {
  return ours || values.only === undefined || values.only.includes(name);
}

async function main(): Promise<void> {
  const sigma = sigmaFolder();
  const logs = positionals.length > 0 ? positionals : benchLogs(join(tmpdir(), 'svc-bench'), 'mixed');
  if (sigma === null || logs.length === 0) {
    say('Nothing to run on: name event logs, and a SigmaHQ folder in SIGMA_RULES.');
    return;
  }
  mkdirSync(scratch, { recursive: true });
  const rules = join(scratch, 'rules');
  const copied = copyWindowsRules(sigma, rules);
  const { rules: loaded } = await loadRulesFrom([rules]);
  const missing = peerNames.filter((name) => findPeer(name) === null);
  say(`${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}; ${copied} rules for Windows`);
  if (missing.length > 0) say(`not here: ${missing.join(', ')}`);
  for (const log of logs) {
    const { events } = await analyzeFile(log, { rules: loaded, logType: 'auto', maxSamples: 1, threads: 1 });
    say(`\n${basename(log)}, ${(statSync(log).size / 1e6).toFixed(1)} MB, ${events} events`);
    say('                              wall        CPU      peak    bytes/wall  against ours: wall, CPU');
    race(engines(rules).filter(wanted), log);
    race(parsers().filter(wanted), log);
  }
}

await main();
