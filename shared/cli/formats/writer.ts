import type { AnalyzedLog, Run } from '../report.ts';

/** Makes the text of a report, log by log as they are analysed. */
export interface Writer {
  begin(): Iterable<string>;
  add(log: AnalyzedLog): Iterable<string>;
  end(run: Run): Iterable<string>;
  /** What the format could not take up, as sentences; to be asked for at the end. */
  notes(): readonly string[];
}
