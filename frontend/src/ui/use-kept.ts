import { useState } from 'react';

/** State that this browser keeps under a name, as JSON; where it may not keep anything, until the page is left. */
export function useKept<T>(name: string, initial: T): readonly [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => (kept(name) as T | null) ?? initial);
  const keep = (next: T): void => {
    setValue(next);
    keepAs(name, next);
  };
  return [value, keep];
}

/** Keeps something under a name. */
export function keepAs(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full or forbidden: the choice holds as long as the page.
  }
}

/** What was kept under a name; null when nothing was. */
export function kept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}
