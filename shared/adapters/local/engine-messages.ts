import type { ReadingLimits } from '@svc/engine';
import type { DeriveFiles } from './derive-config.ts';
import type { EngineInput, EngineOutput, ReadyRules } from '@svc/application/ports/detection-engine.ts';

/** A log, and the compiled rules to hold it against, in memory that threads share. */
export interface ThreadInput extends Omit<EngineInput, 'rules' | 'task'> {
  readonly rules: Pick<ReadyRules, 'digest' | 'ruleSet'> & { readonly bytes: Uint8Array };
}

/** What the engine's thread is told. */
export type EngineRequest = { readonly run: ThreadInput } | { readonly abort: true };

/** What it says: any number of progress messages, then one end. */
export type EngineReply =
  | { readonly bytesDone: number }
  | { readonly output: EngineOutput }
  | { readonly unread: string }
  | { readonly failure: string; readonly log: string }
  | { readonly aborted: true };

/** What one analysis may take. */
export interface EngineLimits {
  readonly unpacked: Pick<ReadingLimits, 'ratio' | 'unpackedBytes'>;
  /** Processor time of each of its threads; 0 for as long as it takes. */
  readonly seconds: number;
  /** More of it for each MiB of the file. */
  readonly secondsPerMb: number;
}

export interface EngineThreadData {
  readonly limits: EngineLimits;
  /** What reports are derived by. */
  readonly deriveFrom: DeriveFiles;
  /** Threads that read one large log. */
  readonly threads: number;
}
