import type { LogType } from '@svc/domain';
import type { Explanation, Trial, TriedLog } from '@svc/engine';
import type { StoredEvent } from '../report/new-finding.ts';

/** What became of the rules that are to be tested. */
export type TestedRules = Omit<Trial, 'set'>;

/** A log as a file of this machine, unless it has more bytes when it is unpacked, or events that were kept of one. */
export type TestedLog =
  | { readonly path: string; readonly mostBytes: number; readonly logType: LogType }
  | { readonly events: readonly StoredEvent[]; readonly logType: LogType };

/** Rules that were compiled to be held against logs, one after another; must be ended. */
export interface RuleTest {
  readonly compiled: TestedRules;
  /**
   * Null once the time of the whole test is up. Rejects with a `LogTooLarge` for a file that is, and with a
   * `LogNotRead` for a log that cannot be read.
   */
  run(log: TestedLog, samples: number): Promise<TriedLog | null>;
  /**
   * The first rule held against an event that was kept, part by part; null once the time is up. There must be a rule.
   * Rejects with a `LogNotRead` for fields that cannot be read.
   */
  explain(event: StoredEvent): Promise<Explanation | null>;
  /**
   * All matches of the first rule as lines of raw output, in the order of the log, which is read only as far as they are
   * taken. Rejects with a `LogNotRead`, also once the time is up.
   */
  matches(log: ReadLog): AsyncIterable<Uint8Array>;
  end(): Promise<void>;
}

/** A log as a file of this machine, and who is told how many of its bytes were read. */
export interface ReadLog {
  readonly path: string;
  readonly logType: LogType;
  readonly onProgress: (bytesDone: number) => void;
}

/** Holds rules that nobody has vouched for against logs, within limits of time and memory of its own. */
export interface RuleTester {
  /** Rejects with a `RulePackRefused` for rules that take too much to compile; throws `busy`. */
  begin(source: string): Promise<RuleTest>;
  /** The same for a task of the queue, which counts for itself and may take this long. */
  beginAside(source: string, timeoutMs: number): Promise<RuleTest>;
}

/** A file with more bytes than were allowed, once it is unpacked. */
export class LogTooLarge extends Error {
  override readonly name = 'LogTooLarge';
}

/** Why a log was not read, in a sentence. */
export class LogNotRead extends Error {
  override readonly name = 'LogNotRead';
}
