import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Campaign, type Failure, type Tally } from './campaign.ts';
import { type Target, targets } from './targets.ts';

/** What a thread is given to do. */
interface Order {
  readonly seed: number;
  readonly reader: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly until: number;
  /** Where the thread notes the number of the input that it is at. */
  readonly at: SharedArrayBuffer;
}

type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'tallies'; readonly tallies: readonly (readonly [string, Tally])[]; readonly next: number };

const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    reader: { type: 'string' },
    replay: { type: 'string' },
  },
});
const megabyte = 1e6;
/** Growth of the process that is taken for a leak, or for an input that costs too much. */
const mostGrowth = 300 * megabyte;
/** Milliseconds of the process's processor time after which an input is taken for one without end. */
const mostWork = 20_000;
/** Milliseconds by the clock after which it is taken for one that waits in vain, however busy the machine. */
const longestWait = 600_000;
/** Garbage is collected before it counts as growth; young objects have the room that threads of an analysis give. */
const heapMegabytes = 256;
const youngMegabytes = 6;
const folder = join(tmpdir(), 'svc-fuzz');
const inputsPerReport = 5000;

function chosen(reader: string | undefined): readonly Target[] {
  const all = targets(process.cwd());
  const some = reader === undefined ? all : all.filter(({ name }) => name === reader);
  if (some.length === 0) throw new Error(`--reader takes one of ${all.map(({ name }) => name).join(', ')}`);
  return some;
}

function send(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort!.postMessage(message);
}

async function work(order: Order): Promise<void> {
  const campaign = new Campaign(chosen(order.reader), order.seed);
  const at = new Float64Array(order.at);
  let number = order.from;
  send({ kind: 'ready' });
  const report = (): void => {
    send({ kind: 'tallies', tallies: [...campaign.tallies], next: number });
    campaign.tallies.clear();
  };
  for (; number < order.to; number++) {
    at[0] = number;
    const failure = await campaign.try(number);
    if (failure !== undefined) send({ kind: 'failure', failure });
    if (number % inputsPerReport !== 0) continue;
    report();
    // Messages leave only between tasks.
    await new Promise((resolve) => setImmediate(resolve));
    if (Date.now() > order.until) break;
  }
  report();
}

/** Has inputs tried in a thread, so that one without end can be told and left behind. */
class Supervisor {
  readonly #campaign: Campaign;
  readonly #seed = Number(options.seed);
  readonly #until = Date.now() + Number(options.seconds) * 1000;
  readonly #tallies = new Map<string, Tally>();
  readonly #failures = new Map<string, number>();
  #baseline = Infinity;
  readonly #started = Date.now();
  #growth = 0;
  #done = 0;

  constructor() {
    this.#campaign = new Campaign(chosen(options.reader), this.#seed);
  }

  async run(): Promise<boolean> {
    const to = Number(options.inputs);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        this.#print();
        process.exit(1);
      });
    }
    for (let from = 0; from < to && Date.now() < this.#until;) from = await this.#thread(from, to);
    this.#print();
    return this.#failures.size === 0;
  }

  /** Runs one thread to its end; returns the number of the input to go on with. */
  #thread(from: number, to: number): Promise<number> {
    const at = new SharedArrayBuffer(8);
    const current = new Float64Array(at);
    const order: Order = { seed: this.#seed, reader: options.reader, from, to, until: this.#until, at };
    const worker = new Worker(new URL(import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    });
    return new Promise((resolve) => {
      let next = from;
      let [seen, since, worked] = [-1, Date.now(), processorTime()];
      const timer = setInterval(() => {
        this.#watchMemory(current[0]!);
        const spent = processorTime() - worked;
        if (current[0] !== seen) [seen, since, worked] = [current[0]!, Date.now(), processorTime()];
        else if (spent > mostWork) void end(`is not done after ${mostWork / 1000} s of processor time`);
        else if (Date.now() - since > longestWait) void end(`is not done after ${longestWait / 1000} s`);
      }, 250);
      const end = async (reason?: string): Promise<void> => {
        clearInterval(timer);
        if (reason !== undefined)
          this.#fail({ number: current[0]!, target: this.#campaign.target(current[0]!).name, reason });
        await worker.terminate();
        resolve(reason === undefined ? Math.max(next, to) : current[0]! + 1);
      };
      worker.on('message', (message: Message) => {
        if (message.kind === 'ready') this.#baseline = Math.min(this.#baseline, process.memoryUsage.rss());
        else if (message.kind === 'failure') this.#fail(message.failure);
        else {
          this.#add(message.tallies);
          next = message.next;
        }
      });
      worker.on('error', (error) => void end(error.stack ?? error.message));
      worker.on('exit', () => void end());
    });
  }

  #watchMemory(number: number): void {
    const growth = process.memoryUsage.rss() - this.#baseline;
    if (growth > mostGrowth && this.#growth <= mostGrowth) {
      this.#fail({ number, target: 'memory', reason: `the process grew by ${Math.round(growth / megabyte)} MB` });
    }
    this.#growth = Math.max(this.#growth, growth);
  }

  #add(tallies: readonly (readonly [string, Tally])[]): void {
    const before = this.#done;
    for (const [name, { inputs, records, milliseconds, slowest }] of tallies) {
      const sum = this.#tallies.get(name) ?? { inputs: 0, records: 0, milliseconds: 0, slowest: 0 };
      this.#tallies.set(name, {
        inputs: sum.inputs + inputs,
        records: sum.records + records,
        milliseconds: sum.milliseconds + milliseconds,
        slowest: Math.max(sum.slowest, slowest),
      });
      this.#done += inputs;
    }
    if (Math.floor(this.#done / 100_000) === Math.floor(before / 100_000)) return;
    const seconds = (Date.now() - this.#started) / 1000;
    process.stderr.write(
      `${this.#done} inputs, ${Math.round(this.#done / seconds)}/s, grown by ${Math.round(this.#growth / megabyte)} MB at most, ${this.#failures.size} kinds of failure\n`,
    );
  }

  #fail({ number, target, reason }: Failure): void {
    const kind = `${target}: ${reason
      .replaceAll(/\d{3,}/g, 'n')
      .split('\n')
      .slice(0, 3)
      .join(' ')}`;
    const times = this.#failures.get(kind) ?? 0;
    this.#failures.set(kind, times + 1);
    if (times > 2) return;
    mkdirSync(folder, { recursive: true });
    const name = this.#campaign.target(number).name;
    const path = join(folder, `${name}-${this.#campaign.way(number)}-${this.#seed}-${number}.bin`);
    writeFileSync(path, this.#campaign.input(number));
    process.stdout.write(`FAILED ${target} ${reason}\n  npm run fuzz -- --replay ${path}\n`);
  }

  #print(): void {
    const lines = [...this.#tallies].map(([name, { inputs, records, milliseconds, slowest }]) =>
      [name, inputs, records, ((milliseconds * 1000) / inputs).toFixed(0), slowest.toFixed(0)].map(String),
    );
    const table = [['reader', 'inputs', 'records', 'µs each', 'slowest ms'], ...lines];
    for (const row of table)
      process.stdout.write(`${row.map((cell, i) => (i === 0 ? cell.padEnd(16) : cell.padStart(12))).join('')}\n`);
    const seconds = ((Date.now() - this.#started) / 1000).toFixed(0);
    process.stdout.write(
      `${this.#done} inputs of seed ${this.#seed} in ${seconds} s; the process grew by ${Math.round(this.#growth / megabyte)} MB at most\n`,
    );
    for (const [kind, times] of this.#failures) process.stdout.write(`FAILED ${times} times: ${kind}\n`);
  }
}

/** Milliseconds that all threads have worked; the one that watches hardly does. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Tries a saved input again; its name says what it is for. */
async function replay(path: string): Promise<void> {
  const [, name = '', way = '0'] = /^(\w+)-(\d)-/.exec(basename(path)) ?? [];
  const [target] = chosen(name);
  const started = performance.now();
  const records = await target!.run(new Uint8Array(readFileSync(path)), Number(way));
  process.stdout.write(`${name}: ${records} records in ${(performance.now() - started).toFixed(0)} ms\n`);
}

if (!isMainThread) await work(workerData as Order);
else if (options.replay !== undefined) await replay(options.replay);
else if (!(await new Supervisor().run())) process.exitCode = 1;
