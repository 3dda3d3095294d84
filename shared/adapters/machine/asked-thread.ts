import { Worker } from 'node:worker_threads';
import { threadEntry, type ThreadName } from './thread-entry.ts';

/** What a thread can be asked, by name; its program hands this to `answerAsks`. */
export type Answers = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface Ask {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: ThreadFailure['told'] };

/** An answer that threw; the thread goes on. */
export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';
  /** What it threw; `code` and `constraint` are those of errors that have them. */
  readonly told: {
    readonly name: string;
    readonly message: string;
    readonly code: string | null;
    readonly constraint: string | null;
  };

  constructor(told: ThreadFailure['told']) {
    super(told.message);
    this.told = told;
  }
}

/** The thread took longer than it may. */
export class ThreadTimedOut extends Error {
  override readonly name = 'ThreadTimedOut';
}

export interface ThreadOptions {
  /** Given to its program. */
  readonly data?: unknown;
  /** @default what Node.js gives to a thread */
  readonly memoryMb?: number;
  /** Of all that it does. @default any time */
  readonly timeoutMs?: number | undefined;
  /** Ends the thread. */
  readonly until?: AbortSignal | undefined;
}

interface Waiting {
  /** With what the answer of that name gives. */
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/**
 * A thread that is asked and answers. The thread of an analysis is none of these (`EngineWorker`), nor are those that
 * read one log together: they tell how far they are, and stop at a word in the middle of what they do.
 */
export class AskedThread<Known extends Answers> {
  readonly #worker: Worker;
  readonly #until: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #ended: { readonly reason: unknown } | null = null;

  private constructor(worker: Worker, { timeoutMs, until }: Pick<ThreadOptions, 'timeoutMs' | 'until'>) {
    this.#worker = worker;
    this.#until = until;
    worker.on('message', (reply: Reply) => this.#settle(reply));
    worker.on('error', (error) => this.#end(error));
    worker.on('exit', () => this.#end(new Error('The thread has ended')));
    if (timeoutMs !== undefined) {
      this.#timer = setTimeout(() => this.#stop(new ThreadTimedOut(`It took more than ${timeoutMs} ms`)), timeoutMs);
    }
    until?.addEventListener('abort', this.#onAbort);
    if (until?.aborted) this.#onAbort();
  }

  static async start<Known extends Answers>(
    name: ThreadName,
    { data, memoryMb, ...ends }: ThreadOptions = {},
  ): Promise<AskedThread<Known>> {
    const resourceLimits = memoryMb === undefined ? {} : { maxOldGenerationSizeMb: memoryMb };
    return new AskedThread<Known>(new Worker(await threadEntry(name), { workerData: data, resourceLimits }), ends);
  }

  get hasEnded(): boolean {
    return this.#ended !== null;
  }

  /** Rejects with a `ThreadFailure`, or with why the thread has ended: the reason of `until`, or what ended it. */
  ask<Name extends keyof Known & string>(
    name: Name,
    ...args: Parameters<Known[Name]>
  ): Promise<Awaited<ReturnType<Known[Name]>>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(this.#ended.reason);
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
      this.#worker.postMessage({ id, name, args } satisfies Ask);
    });
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#until?.removeEventListener('abort', this.#onAbort);
    await this.#worker.terminate();
  }

  readonly #onAbort = (): void => this.#stop(this.#until?.reason);

  #stop(reason: unknown): void {
    this.#end(reason);
    void this.end();
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('failure' in reply) waiting?.reject(new ThreadFailure(reply.failure));
    else waiting?.resolve(reply.value);
  }

  #end(reason: unknown): void {
    this.#ended ??= { reason };
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }
}
