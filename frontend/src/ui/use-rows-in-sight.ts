import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { usePrinting } from './use-printing.ts';

/** Of more rows, only those in sight are on the page. */
export const mostRows = 200;

interface RowsProps {
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Of a usual row, in pixels; those on the page are measured. */
  readonly rowHeight: number;
  readonly keyOf: (index: number) => string;
  /** A row that stays on the page wherever it is, so that it keeps the focus. */
  readonly kept?: number;
}

export interface RowsInSight {
  /** The rows to draw in order, each with the pixels of those that are left out before it. */
  readonly rows: readonly { readonly index: number; readonly gap: number }[];
  /** Pixels of the rows that are left out at the end. */
  readonly after: number;
  /** Ref of a row, which carries its index as `data-index`. */
  readonly measure: (row: HTMLElement | null) => void;
}

/** Which rows of a long list are drawn: those in sight; all of a short one, and all on paper. */
export function useRowsInSight({ scroller, count, rowHeight, keyOf, kept = -1 }: RowsProps): RowsInSight {
  const isPrinting = usePrinting();
  const enabled = count > mostRows && !isPrinting;
  // oxlint-disable-next-line react/incompatible-library -- what it knows is read at every drawing
  const virtual = useVirtualizer({
    enabled,
    count,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: () => rowHeight,
    overscan: 10,
    rangeExtractor: (range) => {
      const indices = defaultRangeExtractor(range);
      if (kept < 0 || kept >= count || indices.includes(kept)) return indices;
      return [...indices, kept].sort((a, b) => a - b);
    },
  });
  if (!enabled) {
    return { rows: Array.from({ length: count }, (_, index) => ({ index, gap: 0 })), after: 0, measure };
  }
  let end = 0;
  const rows = virtual.getVirtualItems().map((item) => {
    const gap = item.start - end;
    end = item.end;
    return { index: item.index, gap };
  });
  return { rows, after: virtual.getTotalSize() - end, measure: virtual.measureElement };
}

/** Where all are drawn, nothing depends on their heights. */
function measure(): void {}
