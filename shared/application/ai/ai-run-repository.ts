import type { Actor, AiProvider, AiRun, AiRunStatus, AiSubject } from '@svc/domain';
import type { SentPrompt } from './sent-prompt.ts';

export { type SentPrompt } from './sent-prompt.ts';

/** What runs are about. */
export interface AiRunSubject {
  readonly subject: AiSubject;
  readonly subjectId: number;
}

export interface NewAiRun extends AiRunSubject {
  readonly provider: Pick<AiProvider, 'id' | 'name' | 'model' | 'timeoutSeconds'>;
  readonly requestedBy: string;
  readonly at: Date;
}

/** What a run has written since it was last said. */
export interface AiRunNote {
  readonly at: Date;
  /** Where it begins in the text, as JavaScript counts; null where nothing was written. */
  readonly part: { readonly start: number; readonly text: string } | null;
  /** Further lines of its log. */
  readonly log: string;
}

export interface EndedAiRun {
  readonly status: Exclude<AiRunStatus, 'pending' | 'running'>;
  readonly content: string;
  readonly errorMessage: string | null;
  /** All of it; null to leave it as it is. */
  readonly log: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly durationMs: number | null;
  readonly at: Date;
}

/** A run as far as it has come. */
export interface AiRunProgress {
  readonly run: AiRun;
  /** What it has written from the place that was asked for on. */
  readonly rest: string;
  /** How much it has written altogether. */
  readonly length: number;
  readonly log: string;
}

/** Runs of AI providers. Ids are never used twice. */
export interface AiRunRepository {
  add(run: NewAiRun): Promise<number>;
  get(id: number): Promise<AiRun | null>;
  /** The newest; of a case, those whose jobs the viewer sees all (administrators: all). Whoever asks sees the subject. */
  newest(viewer: Actor, of: AiRunSubject, limit: number): Promise<readonly AiRun[]>;
  /** One of them. */
  one(viewer: Actor, of: AiRunSubject, id: number): Promise<AiRun | null>;
  /** Null when it is gone. */
  progress(id: number, from: number): Promise<AiRunProgress | null>;
  sources(id: number): Promise<readonly number[]>;
  sent(id: number): Promise<SentPrompt | null>;
  /** Has a waiting run be under way; false when it does not wait any more. */
  begin(id: number, at: Date): Promise<boolean>;
  /** Notes what a run sends, and of a case what it has read. */
  sending(
    id: number,
    sent: {
      readonly promptChars: number;
      /** Null where it is not kept. */
      readonly prompt: SentPrompt | null;
      readonly sources: readonly number[];
      readonly at: Date;
    },
  ): Promise<void>;
  /** Adds to a run that is under way; false when it is to stop, or has ended. */
  note(id: number, note: AiRunNote, mostLog: number): Promise<boolean>;
  /** Asks a run that is under way to stop. */
  requestCancel(id: number, at: Date): Promise<void>;
  /** Ends a run that is in one of these states; false when it is in none. */
  end(id: number, from: readonly AiRunStatus[], ended: EndedAiRun): Promise<boolean>;
  /** Returns how many there were. */
  remove(ids: readonly number[]): Promise<number>;
  /** Notes on runs over cases that a job that they have read is deleted. */
  dropSource(jobId: number, at: Date): Promise<void>;
  /** Tokens of all runs since then, and of one account's: of those that were not counted, about as many. */
  spent(since: Date, accountId: string): Promise<{ readonly all: number; readonly own: number }>;
}
