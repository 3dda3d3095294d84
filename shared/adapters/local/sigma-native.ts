import {
  type DetectionEngine,
  EngineFailure,
  type EngineInput,
  type EngineOutput,
  type EngineRun,
  type ReadyRules,
} from '@svc/application/ports/detection-engine.ts';
import type { LogType } from '@svc/domain';
import { readableTypes, usualLimits } from '@svc/engine';
import { availableParallelism } from 'node:os';
import type { DeriveFiles } from './derive-config.ts';
import type { EngineLimits } from './engine-messages.ts';
import { EngineWorker } from './engine-worker.ts';

export interface SigmaNativeOptions {
  /** What reports are derived by. */
  readonly deriveFrom: DeriveFiles;
  /** Limit of one analysis. */
  readonly memoryMb: number;
  /** What one analysis may take of what is sent to do harm. */
  readonly limits?: EngineLimits | undefined;
  /** Threads that read one large log, as far as there is memory for them. @default one per core */
  readonly threads?: number | undefined;
}

const noLimits: EngineLimits = { unpacked: usualLimits, seconds: 0, secondsPerMb: 0 };
/** What a thread of the engine may take. */
const memoryMbPerThread = 512;
/** Sets of compiled rules kept in memory; the one of all SigmaHQ rules takes 15 MB. */
const keptSets = 3;

/** The built-in engine, in threads of its own so that nothing else waits for an analysis. */
export class SigmaNativeEngine implements DetectionEngine {
  readonly name = 'sigma-native';
  readonly isBuiltIn = true;
  readonly supportedTypes: ReadonlySet<LogType> = new Set(readableTypes);
  readonly usesRulePacks = true;
  readonly #options: SigmaNativeOptions;
  readonly #workers = new Set<EngineWorker>();
  /** Threads with their rules loaded, waiting for the next analysis. */
  readonly #idle: EngineWorker[] = [];
  /** Compiled rules by digest, those used last at the end. */
  readonly #rules = new Map<string, Promise<Uint8Array>>();

  constructor(options: SigmaNativeOptions) {
    this.#options = options;
  }

  async run({ rules, task: _task, ...input }: EngineInput, run: EngineRun): Promise<EngineOutput> {
    if (rules === null) throw new EngineFailure(`${this.name} was given no rule packs`);
    const { digest, ruleSet } = rules;
    const bytes = await this.#load(rules);
    const worker = this.#idle.pop() ?? (await this.#start());
    try {
      return await worker.run({ ...input, rules: { digest, ruleSet, bytes } }, run);
    } finally {
      if (worker.usable) this.#idle.push(worker);
      else this.#workers.delete(worker);
    }
  }

  /** Ends all threads; analyses under way fail. */
  async close(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all([...this.#workers].map((worker) => worker.close()));
  }

  #load(rules: ReadyRules): Promise<Uint8Array> {
    const loading = this.#rules.get(rules.digest) ?? rules.load();
    this.#rules.delete(rules.digest);
    this.#rules.set(rules.digest, loading);
    // What could not be read may be readable next time.
    loading.catch(() => this.#rules.delete(rules.digest));
    for (const digest of [...this.#rules.keys()].slice(0, -keptSets)) this.#rules.delete(digest);
    return loading;
  }

  async #start(): Promise<EngineWorker> {
    const { deriveFrom, memoryMb, limits = noLimits, threads } = this.#options;
    const affordable = affordableThreads(memoryMb, threads);
    const worker = await EngineWorker.start({ deriveFrom, limits, threads: affordable }, memoryMb);
    this.#workers.add(worker);
    return worker;
  }
}

/** Threads that read one large log. */
export function affordableThreads(memoryMb: number, threads = availableParallelism()): number {
  return Math.max(1, Math.min(threads, Math.floor(memoryMb / memoryMbPerThread)));
}
