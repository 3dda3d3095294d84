import { isChainsaw } from './chainsaw.ts';
import { isChopChopGo } from './chopchopgo.ts';
import { isHayabusa } from './hayabusa.ts';
import { isZircolite, isZircoliteTable } from './zircolite.ts';

/** Whether records with these names, or rows of a table under them, are results of an external engine. */
export function areResults(names: readonly string[]): boolean {
  const all = new Set(names);
  return [isHayabusa, isChainsaw, isZircolite, isZircoliteTable, isChopChopGo].some((are) => are(all));
}
