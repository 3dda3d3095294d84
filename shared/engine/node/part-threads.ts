import { Worker } from 'node:worker_threads';
import type { PartialAnalysis, PartSink } from '../part-analyzer.ts';
import { OpenPartError, type PartReply, type PartRequest, StoppedError } from './part-job.ts';
import { threadEntry } from './thread-entry.ts';

interface Running {
  readonly onProgress: (bytesDone: number) => void;
  readonly correlate: PartSink;
  resolve(partial: PartialAnalysis): void;
  reject(reason: unknown): void;
}

/**
 * Room in a thread's heap, in MiB. Of most logs a fifth is in use; a million matches of ten thousand rules, each
 * with its samples, take more than 256. Young objects die so soon that more room for them is not faster.
 */
const heapLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 6 };

/** Threads with nothing to do, their rules loaded; they do not keep the process alive. */
const idle: PartThread[] = [];

/**
 * Has a thread take part in an analysis; threads are kept for the next one. Rejects with a
 * `StoppedError` when the analysis was stopped, with the thread's error, or with why it ended.
 */
export async function runInThread(
  request: PartRequest,
  onProgress: (bytesDone: number) => void,
  correlate: PartSink,
): Promise<PartialAnalysis> {
  const thread = idle.pop() ?? (await PartThread.start());
  try {
    return await thread.run(request, onProgress, correlate);
  } finally {
    if (thread.usable) idle.push(thread);
  }
}

class PartThread {
  readonly #worker: Worker;
  #running: Running | null = null;
  #usable = true;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: PartReply) => this.#receive(reply));
    worker.on('error', (error) => this.#end(error));
    worker.on('exit', (code) => this.#end(new Error(`exit code ${code}`)));
    worker.unref();
  }

  static async start(): Promise<PartThread> {
    const entry = await threadEntry('part-thread', new URL('./part-thread.ts', import.meta.url));
    return new PartThread(new Worker(entry, { resourceLimits: heapLimits }));
  }

  /** False once the thread has ended. */
  get usable(): boolean {
    return this.#usable;
  }

  async run(
    request: PartRequest,
    onProgress: (bytesDone: number) => void,
    correlate: PartSink,
  ): Promise<PartialAnalysis> {
    this.#worker.ref();
    try {
      return await new Promise<PartialAnalysis>((resolve, reject) => {
        this.#running = { onProgress, correlate, resolve, reject };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
        this.#worker.postMessage(request);
      });
    } finally {
      this.#running = null;
      this.#worker.unref();
    }
  }

  #receive(reply: PartReply): void {
    if ('bytesDone' in reply) this.#running?.onProgress(reply.bytesDone);
    else if ('part' in reply) this.#running?.correlate(reply.part, reply.matches, reply.isLast);
    else if ('partial' in reply) this.#running?.resolve(reply.partial);
    else if ('failure' in reply) this.#running?.reject(reply.failure);
    else if ('isOpen' in reply) this.#running?.reject(new OpenPartError('A part of the log goes on in the next'));
    else this.#running?.reject(new StoppedError('The analysis was stopped'));
  }

  #end(cause: Error): void {
    this.#usable = false;
    this.#running?.reject(new Error(`A thread of the analysis ended: ${cause.message}`, { cause }));
  }
}
