import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { count } from './format.ts';
import styles from './pager.module.css';

interface PagerProps {
  readonly page: number;
  readonly per: number;
  /** Rows that the page has. */
  readonly rows: number;
  /** Rows of the list, in words. */
  readonly total: string;
  /** Whether pages are reached from one another rather than by their number. */
  readonly isByCursor: boolean;
  /** Cursors of the pages beside this one; null where there is none. */
  readonly older: string | null;
  readonly newer: string | null;
  readonly onPage: (page: number, cursor?: string) => void;
}

/** Where in a list this page is, and the way to its neighbours. */
export function Pager({ page, per, rows, total, isByCursor, older, newer, onPage }: PagerProps) {
  const first = (page - 1) * per + 1;
  const go = (to: number, cursor: string | null) =>
    isByCursor && to > 1 && cursor !== null ? onPage(to, cursor) : onPage(to);
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="soft">
        {count(first)}–{count(first + rows - 1)} of {total}
      </span>
      <ActionIcon
        variant="default"
        aria-label="Previous page"
        data-hint="Previous page"
        disabled={page <= 1 || newer === null}
        onClick={() => go(page - 1, newer)}
      >
        <IconChevronLeft size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label="Next page"
        data-hint="Next page"
        disabled={older === null}
        onClick={() => go(page + 1, older)}
      >
        <IconChevronRight size={16} stroke={1.75} />
      </ActionIcon>
    </nav>
  );
}

interface PartProps {
  /** A part of a list of which each page has its number. */
  readonly part: { readonly page: number; readonly total: number; readonly total_pages: number };
  /** @default 50 */
  readonly per?: number;
  readonly rows: number;
  readonly onPage: (page: number) => void;
}

/** The same for a list whose pages are asked for by their numbers; nothing for one that is empty. */
export function PartPager({ part: { page, total, total_pages: pages }, per = 50, rows, onPage }: PartProps) {
  if (total === 0) return null;
  return (
    <Pager
      page={page}
      per={per}
      rows={rows}
      total={count(total)}
      isByCursor={false}
      older={page < pages ? '' : null}
      newer={page > 1 ? '' : null}
      onPage={onPage}
    />
  );
}
