import { ProblemLog } from '../problem-log.ts';
import type { ChunkTally, ReadProblem } from '../reader.ts';
import { report } from './evtx-problems.ts';

/** What is wrong with a log as a whole, by what its ranges held, which are given in their order. */
export function chunkProblems(ranges: readonly ChunkTally[]): readonly ReadProblem[] {
  const problems = new ProblemLog();
  let slots: ChunkTally['empty'][] = [];
  let chunks = 0;
  for (const { found, empty } of ranges) {
    if (found > 0) {
      for (const slot of slots) if (slot !== null) report(problems, 'chunk-empty', slot.offset, slot.count);
      slots = [];
    }
    slots.push(empty);
    chunks += found;
  }
  const announced = ranges[0]?.announced ?? null;
  if (announced !== null && announced !== (chunks & 0xffff)) report(problems, 'file-chunk-count', 42);
  return problems.list();
}
