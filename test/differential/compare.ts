import type { Rule } from '@svc/engine';
import { type Cause, holdsWith } from './causes.ts';
import { type Seen, visitPairs } from './ours.ts';
import type { Pair, Pairs } from './pairs.ts';
import type { Side } from './side.ts';

/** A pair that one side has and the other has not. */
export interface Difference {
  readonly pair: Pair;
  readonly onlyOurs: boolean;
  /** What explains it: one cause, or several together; empty when nothing does. */
  readonly causes: readonly Cause[];
}

/** Every difference between what the engine and another program found, each with what explains it. */
export async function compare(
  logs: readonly string[],
  rules: ReadonlyMap<string, Rule>,
  ours: Pairs,
  side: Side,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const differing = [...ours.without(side.pairs), ...side.pairs.without(ours)].filter(({ rule }) => rules.has(rule));
  await visitPairs(logs, rules, differing, (pair, seen) => {
    const onlyOurs = ours.has(pair);
    differences.push({ pair, onlyOurs, causes: explain(seen, onlyOurs, side) });
  });
  return differences;
}

function explain(seen: Seen, onlyOurs: boolean, { missing, causes }: Side): readonly Cause[] {
  const absent = missing(seen);
  if (absent !== null) return [absent];
  const explains = (together: readonly Cause[]): boolean => holdsWith(together, seen) !== onlyOurs;
  for (const cause of causes) if (explains([cause])) return [cause];
  for (const [at, cause] of causes.entries()) {
    const second = causes.slice(at + 1).find((other) => explains([cause, other]));
    if (second !== undefined) return [cause, second];
  }
  return [];
}
