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
import { AskedThread, ThreadFailure, ThreadTimedOut } from '../machine/asked-thread.ts';
import { readPlaceholdersFile } from './placeholders-file.ts';
import type { RulesThread, RulesThreadData } from './rules-thread.ts';

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
    return this.#inTurn((thread) => thread.ask('read', path));
  }

  compile(files: Uint8Array): Promise<CompiledPack> {
    return this.#inTurn((thread) => thread.ask('compile', files));
  }

  revise(files: Uint8Array | null, revision: PackRevision): Promise<RevisedPack | null> {
    return this.#inTurn((thread) => thread.ask('revise', files, revision));
  }

  combine(parts: readonly PackPart[], filters: RuleFilters): Promise<Pick<CompiledPack, 'artifact' | 'loaded'>> {
    return this.#inTurn((thread) => thread.ask('combine', parts, filters));
  }

  #inTurn<T>(ask: (thread: AskedThread<RulesThread>) => Promise<T>): Promise<T> {
    const answer = this.#last.then(() => this.#inThread(ask));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #inThread<T>(ask: (thread: AskedThread<RulesThread>) => Promise<T>): Promise<T> {
    const options = { data: this.#data, memoryMb: this.#memoryMb, timeoutMs: this.#timeoutMs };
    const thread = await AskedThread.start<RulesThread>('rules-thread', options);
    try {
      return await ask(thread);
    } catch (error) {
      throw this.#failureOf(error);
    } finally {
      await thread.end();
    }
  }

  #lateText(): string {
    return `The rules of the pack were not compiled within ${this.#timeoutMs / 1000} s`;
  }

  #failureOf(error: unknown): unknown {
    if (error instanceof ThreadTimedOut) return new RulePackRefused(this.#lateText());
    if (error instanceof ThreadFailure && error.told.name === 'PackError') return new RulePackRefused(error.message);
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')) return error;
    return new RulePackRefused(`The rules of the pack need more than ${this.#memoryMb} MiB of memory to compile`);
  }
}
