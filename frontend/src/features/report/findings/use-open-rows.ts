import type { FindingRow } from '@svc/contracts';
import { useState } from 'react';
import type { FindingRows } from './narrow-findings.ts';

export interface OpenRows {
  isOpen(row: FindingRows): boolean;
  toggle(row: FindingRows): void;
}

/** Which rows show all of their findings: those that were opened, and the one with the chosen finding behind its first. */
export function useOpenRows(chosen: number | undefined, onChoose: (finding: FindingRow) => void): OpenRows {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const holds = (row: FindingRows) => row.slice(1).some(({ id }) => id === chosen);
  const isOpen = (row: FindingRows) => opened.has(row[0].id) || holds(row);
  return {
    isOpen,
    toggle(row) {
      const next = new Set(opened);
      if (!isOpen(row)) next.add(row[0].id);
      else {
        next.delete(row[0].id);
        // What is chosen stays in sight.
        if (holds(row)) onChoose(row[0]);
      }
      setOpened(next);
    },
  };
}
