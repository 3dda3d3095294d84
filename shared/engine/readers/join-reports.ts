import { ProblemLog } from './problem-log.ts';
import type { ReadReport } from './reader.ts';

/**
 * Joins what was said of the parts of a log, given in their order, into what is said of the whole;
 * problems stand in the order of their first places.
 */
export function joinReports(reports: readonly ReadReport[]): ReadReport {
  const log = new ProblemLog();
  for (const report of reports) for (const problem of report.problems) log.addAll(problem);
  const problems = [...log.list()].sort((a, b) => a.offset - b.offset || (a.code < b.code ? -1 : 1));
  return { records: reports.reduce((sum, { records }) => sum + records, 0), problems };
}
