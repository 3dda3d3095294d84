import { useSyncExternalStore } from 'react';

/** What somebody wants to put into a case. */
export interface ForCase {
  readonly entities?: readonly number[];
  readonly jobs?: readonly number[];
}

let wanted: ForCase | null = null;
const listeners = new Set<() => void>();

/** Has the dialog "Add to case" opened over the page for these things; null closes it. */
export function askForCase(things: ForCase | null): void {
  wanted = things;
  for (const listener of listeners) listener();
}

/** What the dialog is to ask about; null where nothing is. */
export function useWantedForCase(): ForCase | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => wanted,
  );
}
