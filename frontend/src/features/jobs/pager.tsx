import { ActionIcon } from '@mantine/core';
import type { JobList } from '@svc/contracts';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { count, totalOf } from '../../ui/format.ts';
import styles from './pager.module.css';

/** Where in the list this page is, and the way to its neighbours. */
export function Pager({ list, onPage }: { list: JobList; onPage: (page: number, cursor?: string) => void }) {
  const { page, per, jobs, total_is_floor: isFloor, older, newer } = list;
  const first = (page - 1) * per + 1;
  // Numbers lead no deeper than the total was counted.
  const go = (to: number, cursor: string | null) =>
    isFloor && to > 1 && cursor !== null ? onPage(to, cursor) : onPage(to);
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="soft">
        {count(first)}–{count(first + jobs.length - 1)} of {totalOf(list)}
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
