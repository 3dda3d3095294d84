import type { DetectionEngine, EngineInput, EngineOutput, EngineRun } from '@svc/application/ports/detection-engine.ts';
import type { LogType } from '@svc/domain';
import { readableTypes } from '@svc/engine';
import { availableParallelism } from 'node:os';
import { EngineWorker } from './engine-worker.ts';

export interface SigmaNativeOptions {
  /** Folder that relative rule paths start from. */
  readonly configFolder: string;
  /** File with the values of placeholders in rules. */
  readonly placeholdersFile?: string | undefined;
  /** Limit of one analysis. */
  readonly memoryMb: number;
  /** Threads that read one large log, as far as there is memory for them. @default one per core */
  readonly threads?: number | undefined;
}

/** What a thread of the engine may take. */
const memoryMbPerThread = 512;

/** The built-in engine, in threads of its own so that nothing else waits for an analysis. */
export class SigmaNativeEngine implements DetectionEngine {
  readonly name = 'sigma-native';
  readonly supportedTypes: ReadonlySet<LogType> = new Set(readableTypes);
  readonly #options: SigmaNativeOptions;
  readonly #workers = new Set<EngineWorker>();
  /** Threads with their rules loaded, waiting for the next analysis. */
  readonly #idle: EngineWorker[] = [];

  constructor(options: SigmaNativeOptions) {
    this.#options = options;
  }

  async run(input: EngineInput, run: EngineRun): Promise<EngineOutput> {
    const worker = this.#idle.pop() ?? (await this.#start());
    try {
      return await worker.run(input, run);
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

  async #start(): Promise<EngineWorker> {
    const { configFolder, placeholdersFile, memoryMb, threads = availableParallelism() } = this.#options;
    const affordable = Math.max(1, Math.min(threads, Math.floor(memoryMb / memoryMbPerThread)));
    const worker = await EngineWorker.start({ configFolder, placeholdersFile, threads: affordable }, memoryMb);
    this.#workers.add(worker);
    return worker;
  }
}
