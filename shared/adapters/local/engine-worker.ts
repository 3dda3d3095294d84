import {
  EngineFailure,
  NothingRead,
  type EngineOutput,
  type EngineRun,
} from '@svc/application/ports/detection-engine.ts';
import { Worker } from 'node:worker_threads';
import type { EngineReply, EngineRequest, EngineThreadData, ThreadInput } from './engine-messages.ts';
import { threadEntry } from '../machine/thread-entry.ts';

/** What a thread gets to stop by itself before it is ended; a cancel must take effect in 200 ms. */
const abortGraceMs = 120;

interface Running {
  readonly run: EngineRun;
  resolve(output: EngineOutput): void;
  reject(reason: unknown): void;
}

/** One thread of the built-in engine. It keeps its rules loaded, and runs one analysis at a time. */
export class EngineWorker {
  readonly #worker: Worker;
  readonly #memoryMb: number;
  #running: Running | null = null;
  #usable = true;

  private constructor(worker: Worker, memoryMb: number) {
    this.#worker = worker;
    this.#memoryMb = memoryMb;
    worker.on('message', (reply: EngineReply) => this.#receive(reply));
    worker.on('error', (error) => this.#end(this.#failureOf(error)));
    worker.on('exit', (code) => this.#end(new EngineFailure(`The analysis ended unexpectedly (code ${code})`)));
    // An idle thread does not keep the process alive.
    worker.unref();
  }

  static async start(data: EngineThreadData, memoryMb: number): Promise<EngineWorker> {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
    const worker = new Worker(await threadEntry('engine-thread'), { workerData: data, resourceLimits });
    return new EngineWorker(worker, memoryMb);
  }

  /** False once the thread has ended; another must be started. */
  get usable(): boolean {
    return this.#usable;
  }

  /** Rejects with the signal's reason, or with an `EngineFailure`. */
  async run(input: ThreadInput, run: EngineRun): Promise<EngineOutput> {
    run.signal.throwIfAborted();
    const abort = (): void => this.#abort(run.signal.reason);
    run.signal.addEventListener('abort', abort);
    this.#worker.ref();
    try {
      return await new Promise<EngineOutput>((resolve, reject) => {
        this.#running = { run, resolve, reject };
        this.#tell({ run: input });
      });
    } finally {
      this.#running = null;
      this.#worker.unref();
      run.signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#usable = false;
    await this.#worker.terminate();
  }

  #abort(reason: unknown): void {
    const aborted = this.#running;
    this.#tell({ abort: true });
    setTimeout(() => {
      if (aborted === null || this.#running !== aborted) return;
      // It is busy with something that does not look for messages.
      aborted.reject(reason);
      void this.close();
    }, abortGraceMs);
  }

  #receive(reply: EngineReply): void {
    const running = this.#running;
    if ('bytesDone' in reply) running?.run.onProgress(reply.bytesDone);
    else if ('output' in reply) running?.resolve(reply.output);
    else if ('unread' in reply) running?.reject(new NothingRead(reply.unread));
    else if ('failure' in reply) running?.reject(new EngineFailure(reply.failure, reply));
    else running?.reject(running.run.signal.reason);
  }

  #end(failure: EngineFailure): void {
    this.#usable = false;
    this.#running?.reject(failure);
  }

  #tell(request: EngineRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
    this.#worker.postMessage(request);
  }

  #failureOf(error: Error): EngineFailure {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      const limit = `its ${this.#memoryMb} MiB of memory`;
      return new EngineFailure(`The analysis needed more than ${limit}; raise ANALYSIS_MEMORY_MB`, { cause: error });
    }
    return new EngineFailure(`The analysis crashed: ${error.message}`, { cause: error, log: error.stack ?? '' });
  }
}
