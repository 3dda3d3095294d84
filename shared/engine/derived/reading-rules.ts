import type { Route } from '../events/route.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { rowsFor, rowsOf } from '../sigma/source-rows.ts';
import type { SourceRow } from '../sigma/source-row.ts';

/** How many rules there are, and how many of them see records of any of the routes. A correlation sees what its rules see. */
export function readingRules(
  { rules, correlations }: RuleSet,
  routes: readonly Route[],
): { readonly total: number; readonly reading: number } {
  const rows = rowsOfAll(routes);
  const known = new Map<string, boolean>();
  const sees = ({ product, category, service }: LogSource): boolean => {
    const key = JSON.stringify([product, category, service]);
    let isSeen = known.get(key);
    if (isSeen === undefined) {
      isSeen = rowsFor({ product, category, service } as LogSource, rows).length > 0;
      known.set(key, isSeen);
    }
    return isSeen;
  };
  const reading = rules.map(({ logSource }) => sees(logSource));
  const correlating: boolean[] = [];
  for (const { inputs } of correlations) {
    correlating.push(inputs.some(({ kind, place }) => (kind === 'rule' ? reading[place] : correlating[place])));
  }
  const all = [...reading, ...correlating];
  return { total: all.length, reading: all.filter(Boolean).length };
}

/** Their rows, those with the same facts once. */
function rowsOfAll(routes: readonly Route[]): readonly SourceRow[] {
  const rows = new Map<string, SourceRow>();
  for (const row of routes.flatMap(rowsOf)) rows.set(JSON.stringify(row.facts), row);
  return [...rows.values()];
}
