import { Random } from '../samples/random.ts';
import type { Target } from './targets.ts';

/** An input that the engine did not take as it should. */
export interface Failure {
  readonly number: number;
  readonly target: string;
  readonly reason: string;
}

/** What came of the inputs of one target so far. */
export interface Tally {
  inputs: number;
  records: number;
  milliseconds: number;
  /** Milliseconds; of processor time where it is much. */
  slowest: number;
}

/** Tries inputs in order; the n-th of a seed is always the same. */
export class Campaign {
  readonly tallies = new Map<string, Tally>();
  readonly #targets: readonly Target[];
  readonly #seed: number;
  readonly #mostMilliseconds: number;
  /** Time by the clock from which on it is worth to ask for that of the processor. */
  readonly #suspicious: number;

  /** @param mostMilliseconds processor time that one input may take. */
  constructor(targets: readonly Target[], seed: number, mostMilliseconds = 1000) {
    this.#targets = targets;
    this.#seed = seed;
    this.#mostMilliseconds = mostMilliseconds;
    this.#suspicious = mostMilliseconds / 10;
  }

  target(number: number): Target {
    return this.#targets[number % this.#targets.length]!;
  }

  input(number: number): Uint8Array {
    return this.target(number).input(new Random(Math.imul(number + 1, 0x9e3779b1) ^ this.#seed));
  }

  way(number: number): number {
    return Math.floor(number / this.#targets.length) % 4;
  }

  /** Tries one input; returns what is wrong with how it was taken, if anything is. */
  async try(number: number): Promise<Failure | undefined> {
    const target = this.target(number);
    const bytes = this.input(number);
    const tally = this.#tally(target.name);
    const started = performance.now();
    let reason: string | undefined;
    try {
      tally.records += await target.run(bytes, this.way(number));
    } catch (error) {
      reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    const took = performance.now() - started;
    const cost = took > this.#suspicious ? await processorTime(() => target.run(bytes, this.way(number))) : took;
    if (cost > this.#mostMilliseconds) reason ??= `takes ${Math.round(cost)} ms of processor time`;
    tally.inputs++;
    tally.milliseconds += took;
    tally.slowest = Math.max(tally.slowest, cost);
    return reason === undefined ? undefined : { number, target: target.name, reason };
  }

  #tally(name: string): Tally {
    let tally = this.tallies.get(name);
    if (tally === undefined) {
      tally = { inputs: 0, records: 0, milliseconds: 0, slowest: 0 };
      this.tallies.set(name, tally);
    }
    return tally;
  }
}

/** Of another try, as a busy machine may well take a second for nothing. */
async function processorTime(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run().catch(() => undefined);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
