import { ProblemLog } from '../problem-log.ts';
import type { ByteSource, ReadOptions, ReadReport } from '../reader.ts';
import { type LineTaker, type OffsetOf, readLines } from './read-lines.ts';

/** Makes records of lines, and counts them. */
export interface RecordTaker extends LineTaker {
  readonly records: number;
}

/** Reads a log line by line, and reports what the taker has made of it. */
export async function readLineRecords(
  source: ByteSource,
  makeTaker: (offsetOf: OffsetOf, problems: ProblemLog) => RecordTaker,
  options: ReadOptions | undefined,
): Promise<ReadReport> {
  const problems = new ProblemLog();
  let taker: RecordTaker | undefined;
  const isOpen = await readLines(source, (offsetOf) => (taker = makeTaker(offsetOf, problems)), problems, options);
  return { records: taker?.records ?? 0, problems: problems.list(), ...(options?.range && { isOpen }) };
}
