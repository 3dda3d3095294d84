const KEPT = 'svc-jobs-searches';
const MOST = 8;

/** The searches of this browser, the newest first. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps a search; one that is known already moves to the front. */
export function rememberSearch(search: string): void {
  keep([search, ...recentSearches().filter((other) => other !== search)].slice(0, MOST));
}

export function forgetSearches(): void {
  keep([]);
}

function keep(searches: readonly string[]): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(searches));
  } catch {
    // Storage is switched off: there is no history then.
  }
}
