import type { JobList, JobRow } from '@svc/contracts';
import { useState } from 'react';
import { useLiveJobs } from '../../api/queries.ts';
import { settledRows } from './new-arrivals.ts';

/** A list that does not jump. */
export interface Settled {
  /** The rows as the list was opened with them, each as it is now. */
  readonly rows: readonly JobRow[];
  /** Newer jobs that wait above them. */
  readonly arrived: number;
  /** Another list was asked for and is on its way; these are rows of the one before. */
  readonly isLeaving: boolean;
  /** Takes the list as it is now. */
  readonly reopen: () => void;
  /** Changes rows before the service has said so. */
  readonly patch: (change: (job: JobRow) => JobRow) => void;
}

/** The jobs as they were when the list of this key was opened, with live states; null before there are any. */
export function useSettledJobs(list: JobList | undefined, key: string): Settled | null {
  const [opened, setOpened] = useState<{ readonly key: string; readonly list: JobList } | null>(null);
  // Where there are no rows yet, none can jump.
  const isEmpty = opened?.list.jobs.length === 0 && opened.list !== list;
  if (list && (opened?.key !== key || isEmpty)) setOpened({ key, list });
  const isLeaving = opened !== null && opened.key !== key;
  const { rows, arrived } = opened ? settledRows(opened.list, (!isLeaving && list) || opened.list) : unopened;
  const live = useLiveJobs(rows);
  if (opened === null) return null;
  return {
    rows: live,
    arrived,
    isLeaving,
    reopen: () => setOpened(null),
    patch: (change) =>
      setOpened((now) => now && { ...now, list: { ...now.list, jobs: now.list.jobs.map((job) => change(job)) } }),
  };
}

const unopened: ReturnType<typeof settledRows> = { rows: [], arrived: 0 };
