import { Button } from '@mantine/core';
import { call, operations, type WatchedJob } from '@svc/contracts';
import { IconChecks, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { refreshBell, watchedQuery } from '../../api/discussions.ts';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { focusStep } from '../../ui/focus-step.ts';
import { count } from '../../ui/format.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SeverityCell } from '../../ui/severity.tsx';
import { EmptyState, ErrorState, reasonOf, Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import styles from './watching-page.module.css';

/** Jobs that the account watches, those with most unread events first. */
export function WatchingPage() {
  const me = useMe();
  const { data, error, refetch } = useQuery({ ...watchedQuery, enabled: me !== undefined && me !== null });
  return (
    <>
      <title>Watched jobs · svc</title>
      <PageHead title="Watched jobs" total={data?.length} />
      {me === null ? (
        <EmptyState icon={IconEye} title="Sign in to watch jobs">
          <Link to={paths.login} search={{ next: paths.watching }}>
            Sign in
          </Link>
        </EmptyState>
      ) : error ? (
        <ErrorState what="Your watched jobs cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={160} />
      ) : (
        <WatchedTable jobs={data} />
      )}
    </>
  );
}

/** Rows stay where they are while the page is open, so that nothing moves under the cursor. */
function WatchedTable({ jobs }: { jobs: readonly WatchedJob[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [opened] = useState(jobs);
  const now = new Map(jobs.map((watched) => [watched.job.job_id, watched] as const));
  const listed = new Set(opened.map(({ job }) => job.job_id));
  const rows = [...jobs.filter(({ job }) => !listed.has(job.job_id)), ...opened];
  useKeys({
    j: () => focusStep(body.current, 'a[data-row]', 1),
    k: () => focusStep(body.current, 'a[data-row]', -1),
  });
  if (rows.length === 0) {
    return (
      <EmptyState icon={IconEye} title="You watch no job">
        <p>
          Press <Kbd keys={['w']} /> on the page of a job, or comment on it: the bell then tells you what others say
          about it.
        </p>
      </EmptyState>
    );
  }
  return (
    <div className={cx('card', table.wrap)}>
      <table className={cx(table.table, table.roomy)}>
        <thead>
          <tr>
            <th scope="col" className={styles.unread}>
              Unread
            </th>
            <th scope="col">File</th>
            <th scope="col" className={styles.status}>
              Status
            </th>
            <th scope="col" className={cx(styles.severity, styles.wide)}>
              Severity
            </th>
            <th scope="col" className={cx(styles.since, styles.wide, 'num')}>
              Watched for
            </th>
            <th scope="col" className={styles.deeds}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map(({ job, since }) => (
            <Row
              key={job.job_id}
              watched={now.get(job.job_id) ?? { job, since, unread: 0 }}
              gone={!now.has(job.job_id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ watched: { job, since, unread }, gone }: { watched: WatchedJob; gone: boolean }) {
  const id = job.job_id;
  const change = useMutation({
    mutationFn: async (deed: 'read' | 'stop' | 'resume'): Promise<unknown> => {
      if (deed === 'read') return call(operations.acknowledgeWatchedJob, { id });
      return deed === 'stop' ? call(operations.unwatchJob, { id }) : call(operations.watchJob, { id });
    },
    onSuccess: refreshBell,
  });
  return (
    <tr className={cx(table.row, gone && styles.gone)}>
      <td>{unread > 0 ? <span className={styles.badge}>{count(unread)}</span> : <span className="faint">–</span>}</td>
      <td>
        <Link
          data-row
          to={paths.job}
          params={{ jobId: id }}
          search={{ view: 'discussion' }}
          className={styles.link}
          data-hint={job.filename}
        >
          {job.filename}
        </Link>
        <span className={table.second}>#{id}</span>
      </td>
      <td>
        <StatusMark status={job.status} partlyRead={job.partly_read} why={job.error} />
      </td>
      <td className={styles.wide}>
        <SeverityCell summary={job.severity_summary} status={job.status} />
      </td>
      <td className={cx(styles.wide, 'num soft')}>
        <Age iso={since} />
      </td>
      <td className={styles.buttons}>
        {change.error && <span role="alert">{reasonOf(change.error)}</span>}
        {gone ? (
          <>
            <span className="soft">No longer watched</span>{' '}
            <LinkButton disabled={change.isPending} onClick={() => change.mutate('resume')}>
              Undo
            </LinkButton>
          </>
        ) : (
          <>
            {unread > 0 && (
              <Button
                variant="subtle"
                leftSection={<IconChecks size={16} stroke={1.75} />}
                onClick={() => change.mutate('read')}
              >
                Mark read
              </Button>
            )}
            <Button
              variant="subtle"
              leftSection={<IconEyeOff size={16} stroke={1.75} />}
              onClick={() => change.mutate('stop')}
            >
              Stop
            </Button>
          </>
        )}
      </td>
    </tr>
  );
}
