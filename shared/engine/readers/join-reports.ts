import { chunkProblems } from './evtx/chunk-problems.ts';
import { ProblemLog } from './problem-log.ts';
import type { ReadReport } from './reader.ts';

/**
 * Joins what was said of the ranges of a log, given in their order, into what is said of the whole;
 * problems stand in the order of their first places.
 */
export function joinReports(reports: readonly ReadReport[]): ReadReport {
  const problems = [
    ...reports.flatMap((report) => report.problems),
    ...chunkProblems(reports.flatMap(({ chunks }) => chunks ?? [])),
  ].sort((a, b) => a.offset - b.offset || (a.code < b.code ? -1 : 1));
  const joined = new ProblemLog();
  for (const problem of problems) joined.addAll(problem);
  return { records: reports.reduce((sum, { records }) => sum + records, 0), problems: joined.list() };
}
