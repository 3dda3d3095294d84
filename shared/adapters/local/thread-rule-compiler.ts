import {
  type CompiledPack,
  type PackContent,
  type PackPart,
  type PackRevision,
  type RevisedPack,
  type RuleCompiler,
  RulePackRefused,
} from '@svc/application/ports/rule-compiler.ts';
import type { RuleFilters } from '@svc/domain';
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { readPlaceholdersFile } from './placeholders-file.ts';
import type { RulesReply, RulesRequest, RulesThreadData } from './rules-messages.ts';
import { threadEntry } from './thread-entry.ts';

declare global {
  /** What the engine was built from; put in its place by the build. */
  var svcEngine: string | undefined;
}

export interface ThreadRuleCompilerOptions {
  /** File with the values of placeholders in rules. */
  readonly placeholdersFile?: string | undefined;
  /** @default 120 s; all SigmaHQ rules take two */
  readonly timeoutMs?: number;
  /** @default 1024 MiB */
  readonly memoryMb?: number;
}

/** Compiles in a thread that is started for each request and ended with it, or when it takes too much. */
export class ThreadRuleCompiler implements RuleCompiler {
  readonly #data: RulesThreadData;
  readonly #timeoutMs: number;
  readonly #memoryMb: number;
  /** One request after another, so that several packs at once take no more than one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ placeholdersFile, timeoutMs = 120_000, memoryMb = 1024 }: ThreadRuleCompilerOptions) {
    this.#data = { placeholdersFile };
    this.#timeoutMs = timeoutMs;
    this.#memoryMb = memoryMb;
  }

  async identity(): Promise<string> {
    const { text } = await readPlaceholdersFile(this.#data.placeholdersFile);
    return createHash('sha256')
      .update(`${globalThis.svcEngine ?? 'from source'}\0${text}`)
      .digest('hex');
  }

  read(path: string): Promise<PackContent> {
    return this.#ask({ read: path });
  }

  compile(files: Uint8Array): Promise<CompiledPack> {
    return this.#ask({ compile: files });
  }

  revise(files: Uint8Array | null, revision: PackRevision): Promise<RevisedPack | null> {
    return this.#ask({ revise: files, revision });
  }

  combine(parts: readonly PackPart[], filters: RuleFilters): Promise<Pick<CompiledPack, 'artifact' | 'loaded'>> {
    return this.#ask({ combine: parts, filters });
  }

  /** The thread answers each request with what its method promises. */
  #ask<T>(request: RulesRequest): Promise<T> {
    const answer = this.#last.then(() => this.#run(request)) as Promise<T>;
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #run(request: RulesRequest): Promise<unknown> {
    const resourceLimits = { maxOldGenerationSizeMb: this.#memoryMb };
    const worker = new Worker(await threadEntry('rules-thread'), { workerData: this.#data, resourceLimits });
    let timer: NodeJS.Timeout | undefined;
    try {
      const reply = await new Promise<RulesReply>((resolve, reject) => {
        timer = setTimeout(() => reject(new RulePackRefused(this.#lateText())), this.#timeoutMs);
        worker.on('message', resolve);
        worker.on('error', (error) => reject(this.#failureOf(error)));
        worker.on('exit', () => reject(new Error('The thread that compiles rules has ended')));
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
        worker.postMessage(request);
      });
      if ('refused' in reply) throw new RulePackRefused(reply.refused);
      if ('failure' in reply) throw new Error(reply.failure);
      return reply.done;
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  }

  #lateText(): string {
    return `The rules of the pack were not compiled within ${this.#timeoutMs / 1000} s`;
  }

  #failureOf(error: Error): Error {
    if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    return new RulePackRefused(`The rules of the pack need more than ${this.#memoryMb} MiB of memory to compile`);
  }
}
