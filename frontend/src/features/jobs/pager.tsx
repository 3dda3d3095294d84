import { ActionIcon } from '@mantine/core';
import type { JobList } from '@svc/contracts';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { count } from '../../ui/format.ts';
import styles from './pager.module.css';

/** Where in the list this page is, and the way to its neighbours. */
export function Pager({ list, onPage }: { list: JobList; onPage: (page: number) => void }) {
  const { page, per, total, total_pages: pages } = list;
  const first = (page - 1) * per + 1;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="soft">
        {count(first)}–{count(Math.min(first + per - 1, total))} of {count(total)}
      </span>
      <ActionIcon
        variant="default"
        aria-label="Previous page"
        data-hint="Newer"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <IconChevronLeft size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label="Next page"
        data-hint="Older"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <IconChevronRight size={16} stroke={1.75} />
      </ActionIcon>
    </nav>
  );
}
