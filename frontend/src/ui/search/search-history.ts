import { keepList, keptList } from '../kept-list.ts';

const MOST = 8;

/** The searches of this browser in one language, the newest first. */
export function recentSearches(kept: string): string[] {
  return keptList(kept).filter((one) => typeof one === 'string');
}

/** Keeps a search; one that is known already moves to the front. Where storage is switched off there is no history. */
export function rememberSearch(kept: string, search: string): void {
  keepList(kept, [search, ...recentSearches(kept).filter((other) => other !== search)].slice(0, MOST));
}

export function forgetSearches(kept: string): void {
  keepList(kept, []);
}
