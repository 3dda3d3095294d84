import type { EngineInput, EngineOutput } from '@svc/application/ports/detection-engine.ts';

/** What the engine's thread is told. */
export type EngineRequest = { readonly run: EngineInput } | { readonly abort: true };

/** What it says: any number of progress messages, then one end. */
export type EngineReply =
  | { readonly bytesDone: number }
  | { readonly output: EngineOutput }
  | { readonly failure: string; readonly log: string }
  | { readonly aborted: true };

export interface EngineThreadData {
  /** Folder that relative rule paths start from. */
  readonly configFolder: string;
  /** File with the values of placeholders in rules. */
  readonly placeholdersFile?: string | undefined;
  /** Threads that read one large log. */
  readonly threads: number;
}
