import type { CorrelatedMatch } from '../correlation/match-collector.ts';
import type { MatchOptions, PartialAnalysis } from '../part-analyzer.ts';
import type { LogType } from '../readers/log-type.ts';
import type { ReadOptions } from '../readers/reader.ts';

/** An analysis that several threads take part in; can be sent to another thread. */
export interface PartJob {
  readonly path: string;
  readonly logType: LogType;
  /** Length of the file in bytes. */
  readonly size: number;
  /** Where its parts begin. */
  readonly cuts: readonly number[];
  readonly match: MatchOptions;
  readonly read: Pick<ReadOptions, 'now' | 'recoverSlack' | 'verifyChecksums'>;
  /** Processor time that each thread may take, in seconds; infinite for no limit. */
  readonly seconds: number;
  /** Shared by all threads: the next part to be taken, and whether to stop. */
  readonly control: Int32Array;
}

/** Rules in their packed form, in memory that all threads share. */
export interface SharedRules {
  /** The same for the same rules of one process. */
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** What a thread is told: to take part in an analysis. */
export interface PartRequest {
  readonly job: PartJob;
  readonly rules: SharedRules;
}

/** What it says: any number of messages of its progress and of matches, then one end. */
export type PartReply =
  | { readonly bytesDone: number }
  | { readonly part: number; readonly matches: readonly CorrelatedMatch[]; readonly isLast: boolean }
  | { readonly partial: PartialAnalysis }
  | { readonly stopped: true }
  | { readonly isOpen: true }
  | { readonly failure: Error };

const NEXT = 0;
const STOPPED = 1;
const OVER = 2;

/** The analysis goes on no further, for a reason that whoever stopped it knows. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** The log cannot be read in parts: one of them ends within something that goes on in the next. */
export class OpenPartError extends Error {
  override readonly name = 'OpenPartError';
}

export function newControl(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** Takes a part that no thread has taken yet; undefined when there is none, or no time for it. */
export function takePart({ control, cuts }: PartJob): number | undefined {
  if (Atomics.load(control, OVER) === 1) return undefined;
  const part = Atomics.add(control, NEXT, 1);
  return part < cuts.length ? part : undefined;
}

/** Has no more parts taken, as the time is over. */
export function takeNoMore(control: Int32Array): void {
  Atomics.store(control, OVER, 1);
}

/** Place of the first part that nobody took, since the time was over; undefined when all were. */
export function firstUntaken({ control, cuts }: PartJob): number | undefined {
  return cuts[Atomics.load(control, NEXT)];
}

/** Has all threads end the analysis at their next look. */
export function stopAll(control: Int32Array): void {
  Atomics.store(control, STOPPED, 1);
}

export function throwIfStopped(control: Int32Array): void {
  if (Atomics.load(control, STOPPED) === 1) throw new StoppedError('The analysis was stopped');
}
