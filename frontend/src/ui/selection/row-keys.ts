import type { RefObject } from 'react';
import { useKeys } from '../use-keys.ts';

interface RowActions {
  readonly onSelect: (id: number, isRange: boolean) => void;
  readonly onClear: () => void;
}

const link = 'a[data-row]';

/** The keys of the list: j and k or arrows move, x and shift x select, Escape clears. */
export function useRowKeys(table: RefObject<HTMLElement | null>, { onSelect, onClear }: RowActions): void {
  const rows = () => [...(table.current?.querySelectorAll<HTMLElement>('tr[data-id]') ?? [])];
  const current = () => rows().findIndex((row) => row.contains(document.activeElement));
  const step = (by: number) => {
    const all = rows();
    const at = current();
    all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.querySelector<HTMLElement>(link)?.focus();
  };
  // Outside of the table the arrows scroll the page, as everywhere.
  const stepInside = (by: number) => (current() < 0 ? false : step(by));
  const select = (isRange: boolean) => {
    const id = rows()[current()]?.dataset['id'];
    if (id !== undefined) onSelect(Number(id), isRange);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => stepInside(1),
    ArrowUp: () => stepInside(-1),
    x: () => select(false),
    X: () => select(true),
    Escape: onClear,
  });
}
