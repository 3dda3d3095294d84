import { keepList, keptList } from './kept-list.ts';

const KEPT = 'svc-jobs-searches';
const MOST = 8;

/** The searches of this browser, the newest first. */
export function recentSearches(): string[] {
  return keptList(KEPT).filter((one) => typeof one === 'string');
}

/** Keeps a search; one that is known already moves to the front. Where storage is switched off there is no history. */
export function rememberSearch(search: string): void {
  keepList(KEPT, [search, ...recentSearches().filter((other) => other !== search)].slice(0, MOST));
}

export function forgetSearches(): void {
  keepList(KEPT, []);
}
