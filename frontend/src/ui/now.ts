import { useSyncExternalStore } from 'react';

const TICK_MS = 30_000;

let now = Date.now();
const watchers = new Set<() => void>();

setInterval(() => {
  now = Date.now();
  for (const watcher of watchers) watcher();
}, TICK_MS);

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The time, as fine as ages are told: it moves every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
