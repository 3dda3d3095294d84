import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadRules, packRules } from '@svc/engine';
import { readRuleFiles } from '@svc/engine/node';
import { cutsFor } from '../../shared/engine/readers/cuts.ts';
import { ruleFolders } from './bench-data.ts';
import { type BenchInput, benchInputs, smallEventLog } from './engine-inputs.ts';
import { measure, type Measured, type Order, type Pass, type Work } from './engine-measure.ts';
import { beside, type Target, type Unit } from './engine-targets.ts';

/** Load beyond which the machine does other things too. */
const mostLoad = 1.5;
const processRuns = 4;
/** Logs that the command line is timed with, with as many threads as it takes on two cores by itself. */
const processThreads: ReadonlyMap<string, number> = new Map([
  ['mixed', 1],
  ['large', 2],
]);
/** A pass over a large log takes seconds. */
const mostLargePasses = 2;
/** Smaller logs are read with one thread, however many there may be. */
const smallestInThreads = 8 * 1024 * 1024;

/** Prints the figures of one kind of log after another, each measured in a process of its own. */
class Bench {
  readonly #rules: string;
  readonly #loaded: number;
  readonly #passes: number;
  readonly #isBusy: boolean;

  /** @param isBusy whether targets are held against processor time, as other programs run. */
  constructor(rules: string, loaded: number, passes: number, isBusy: boolean) {
    this.#rules = rules;
    this.#loaded = loaded;
    this.#passes = passes;
    this.#isBusy = isBusy;
  }

  input(input: BenchInput): void {
    line('', `${input.kind} (${input.repeats})`);
    this.#work(input, 'visit', 1);
    if (input.logType === 'evtx') this.#work(input, 'json', 1);
    const alone = this.#work(input, 'rules', 1);
    if (input.logType === 'evtx') this.#work(input, 'report', 1);
    const isCut = cutsFor(input.logType) !== undefined && statSync(input.path).size >= smallestInThreads;
    if (isCut) this.#work(input, 'rules', 2, alone);
  }

  /** The command line from its start to its end, its rules compiled before. */
  wholeProcess(kind: string, path: string, threads: number): void {
    const args = ['dist/cli/main.mjs', 'analyze', path, '--format', 'jsonl', '--threads', String(threads)];
    const rules = ruleFolders().flatMap((folder) => ['--rules', folder]);
    const seconds: number[] = [];
    for (let run = 0; run < processRuns; run++) {
      const from = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [...args, ...rules], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      if (status !== 0 && status !== 1) throw new Error(stderr.toString());
      // The first one may have the rules to compile.
      if (run > 0) seconds.push((performance.now() - from) / 1000);
    }
    const best = Math.min(...seconds);
    line('', kind);
    const figures = { s: best };
    this.#print(path, null, 'process', threads, `best of ${processRuns - 1}`, [`${best.toFixed(2)} s`], kind, figures);
  }

  #work(input: BenchInput, work: Work, threads: number, alone?: Measured): Measured {
    const order: Order = { ...input, work, threads, rules: this.#rules, passes: this.#passesOver(input) };
    const measured = inOwnProcess(order);
    const { events, maxResidentMb, withoutIntel } = measured;
    const passes: [string, Pass][] = [
      ['first', measured.first],
      ...(measured.steady === null ? [] : ([['steady', measured.steady]] as [string, Pass][])),
      ['again', measured.again],
    ];
    const compared = measured.steady === null ? 'again' : 'steady';
    for (const [name, pass] of passes) {
      const ms = this.#isBusy ? pass.cpuMs : pass.wallMs;
      const cells = [
        speed(input.path, events, pass),
        `${(pass.cpuMs / 1000).toFixed(2)} s CPU`,
        `${Math.round(maxResidentMb)} MB`,
      ];
      const figures: Partial<Record<Unit, number>> =
        name !== compared
          ? {}
          : {
              'MB/s': statSync(input.path).size / 1e3 / ms,
              'events/s': (events / ms) * 1000,
              'MB resident': maxResidentMb,
              ...(alone && { '× one thread': alone.again.wallMs / pass.wallMs }),
              // By processor time, as it is the work that counts.
              ...(withoutIntel && { '× without intel': pass.cpuMs / withoutIntel.cpuMs }),
            };
      if (withoutIntel && name === compared)
        cells.push(`${(pass.cpuMs / withoutIntel.cpuMs).toFixed(2)}× without intel`);
      if (alone && name === compared) cells.push(`${(alone.again.wallMs / pass.wallMs).toFixed(2)}× one thread`);
      this.#print(input.path, events, work, threads, name, cells, input.kind, figures);
    }
    return measured;
  }

  #passesOver({ kind }: BenchInput): number {
    return kind === 'large' ? Math.min(this.#passes, mostLargePasses) : this.#passes;
  }

  #print(
    path: string,
    events: number | null,
    work: Target['work'],
    threads: number,
    pass: string,
    cells: readonly string[],
    kind: string,
    figures: Partial<Record<Unit, number>>,
  ): void {
    line(
      basename(path),
      `${(statSync(path).size / 1e6).toFixed(1)} MB`,
      ...(events === null ? [] : [`${events} events`]),
      work === 'rules' || work === 'process' ? `${this.#loaded} rules` : work,
      `${threads} thread${threads === 1 ? '' : 's'}`,
      pass,
      ...cells,
      beside(kind, work, threads, figures),
    );
  }
}

function line(...cells: readonly string[]): void {
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
}

function speed(path: string, events: number, { wallMs, cpuMs }: Pass): string {
  const perSecond = (events / wallMs) * 1000;
  const rounded = perSecond >= 10_000 ? `${Math.round(perSecond / 1000)} k` : Math.round(perSecond);
  const { size } = statSync(path);
  return `${(size / 1e3 / wallMs).toFixed(1)} MB/s (${(size / 1e3 / cpuMs).toFixed(1)} per CPU second)  ${rounded} events/s`;
}

function inOwnProcess(order: Order): Measured {
  const args = [fileURLToPath(import.meta.url), '--measure', JSON.stringify(order)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Measured;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      passes: { type: 'string', default: '8' },
      megabytes: { type: 'string', default: '16' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-rules-'));
  try {
    const started = performance.now();
    const { rules, loaded, rejected } = loadRules(await readRuleFiles(ruleFolders()));
    const took = ((performance.now() - started) / 1000).toFixed(2);
    const packed = join(folder, 'rules');
    writeFileSync(packed, packRules(rules));
    line(
      'CPU',
      `${cpus()[0]?.model ?? 'unknown'},`,
      `${cpus().length} cores,`,
      `load ${loadavg()[0]!.toFixed(1)},`,
      `Node ${process.version}`,
    );
    line('rules', `${loaded} loaded, ${rejected.length} rejected in ${took} s`);
    line(
      `passes: first in a new process; steady with emptied value caches, again with full ones, each the best of ${values.passes}`,
    );
    const isBusy = loadavg()[0]! > mostLoad;
    if (isBusy) line('other programs run: ✓ and ✗ of rates are by processor time, and times of the clock are too long');
    const bench = new Bench(packed, loaded, Number(values.passes), isBusy);
    const inputs = await benchInputs(values.only, Number(values.megabytes) * 1e6);
    for (const input of inputs) bench.input(input);
    for (const { kind, path } of inputs) {
      const threads = processThreads.get(kind);
      if (threads !== undefined) bench.wholeProcess(kind, path, threads);
    }
    if (values.only.length === 0) bench.wholeProcess('one small file', smallEventLog(), 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [mode, order] = process.argv.slice(2);
if (mode === '--measure') process.stdout.write(JSON.stringify(await measure(JSON.parse(order!) as Order)));
else await main();
