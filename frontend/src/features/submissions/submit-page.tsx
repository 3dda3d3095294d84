import { useQuery } from '@tanstack/react-query';
import { IconEye } from '@tabler/icons-react';
import { Suspense } from 'react';
import { homeQuery } from '../../api/queries.ts';
import { lazy } from '../../ui/lazy.ts';
import { ErrorState, Notice } from '../../ui/states.tsx';
import type { OptionParts } from './option-parts.ts';
import { DropZone } from './drop-zone.tsx';
import { useSubmissions } from './queue-store.ts';
import { RecentJobs } from './recent-jobs.tsx';
import styles from './submit-page.module.css';

// Not needed for the first paint, and kept out of the initial script.
const SubmissionList = lazy(async () => ({ default: (await import('./submission-list.tsx')).SubmissionList }));

/** The start page: a place to drop files, the files on their way, and what was analysed last. */
export function SubmitPage({ parts }: { parts: OptionParts }) {
  const home = useQuery(homeQuery);
  const queue = useSubmissions();
  const { list } = queue;
  return (
    <div className={styles.page}>
      <title>Submit · svc</title>
      {home.isError ? (
        <ErrorState whole what="The service does not answer" error={home.error} retry={() => void home.refetch()} />
      ) : home.data?.demo_mode ? (
        <Notice tone="info" icon={<IconEye size={18} stroke={1.75} />}>
          <strong>This is a read-only demonstration.</strong> Nothing can be submitted; the reports below can be read.
        </Notice>
      ) : (
        <>
          <DropZone home={home.data} compact={list.length > 0} />
          <Suspense>
            {list.length > 0 && home.data && <SubmissionList home={home.data} queue={queue} parts={parts} />}
          </Suspense>
        </>
      )}
      {!home.isError && <RecentJobs />}
    </div>
  );
}
