// What a large event log needs: one of about 500 MB and one eight times as large, both of the chunks of real
// logs again and again, each analysed by a process of its own.   [--megabytes N] [--threads N]
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadRules, packRules, unpackRules } from '@svc/engine';
import { analyzeFile, readRuleFiles } from '@svc/engine/node';
import { benchLogs, ruleFolders, writeLargeLog } from './bench-data.ts';

const timesLarger = 8;

/** What one analysis took, in a process of its own. */
interface Measured {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly residentMb: number;
  readonly events: number;
}

async function analyzeOnce(log: string, rulesPath: string, threads: number): Promise<Measured> {
  // Where threads share it, as what `svc` keeps of compiled rules is read.
  const bytes = new Uint8Array(new SharedArrayBuffer(statSync(rulesPath).size));
  const file = openSync(rulesPath, 'r');
  readSync(file, bytes);
  closeSync(file);
  const from = performance.now();
  const { events } = await analyzeFile(log, { rules: unpackRules(bytes), logType: 'evtx', maxSamples: 10, threads });
  const { user, system } = process.cpuUsage();
  return {
    wallSeconds: (performance.now() - from) / 1000,
    cpuSeconds: (user + system) / 1e6,
    residentMb: peakBytes() / 1e6,
    events,
  };
}

/** Where Linux tells it: `maxRSS` begins with what the starting process had. */
function peakBytes(): number {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'latin1') : '';
  return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS) * 1024;
}

function inOwnProcess(log: string, rulesPath: string, threads: number): Measured {
  const args = [fileURLToPath(import.meta.url), '--once', log, rulesPath, String(threads)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Measured;
}

async function main(bytes: number, threads: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-memory-'));
  try {
    const rulesPath = join(folder, 'rules');
    writeFileSync(rulesPath, packRules(loadRules(await readRuleFiles(ruleFolders())).rules));
    const log = join(folder, 'log.evtx');
    const took: Measured[] = [];
    for (const size of [bytes, bytes * timesLarger]) {
      writeLargeLog(log, benchLogs(), size);
      const one = inOwnProcess(log, rulesPath, threads);
      took.push(one);
      line(
        `${Math.round(size / 1e6)} MB`,
        `${threads} threads`,
        `${one.events} events`,
        `${one.wallSeconds.toFixed(2)} s`,
        `${one.cpuSeconds.toFixed(2)} s CPU`,
        `${Math.round(one.residentMb)} MB resident at most`,
      );
    }
    const [small, large] = took as [Measured, Measured];
    const ratio = (of: (one: Measured) => number): string => (of(large) / of(small)).toFixed(2);
    const [wall, cpu] = [ratio((one) => one.wallSeconds), ratio((one) => one.cpuSeconds)];
    line(`${timesLarger} times the size takes ${wall} times as long, ${cpu} times the CPU time`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function line(...cells: string[]): void {
  process.stdout.write(`${cells.join('  ')}\n`);
}

const [mode, log, rulesPath, given] = process.argv.slice(2);
if (mode === '--once') {
  process.stdout.write(JSON.stringify(await analyzeOnce(log!, rulesPath!, Number(given))));
} else {
  const { values } = parseArgs({ options: { megabytes: { type: 'string' }, threads: { type: 'string' } } });
  await main(Number(values.megabytes ?? 500) * 1e6, Number(values.threads ?? availableParallelism()));
}
