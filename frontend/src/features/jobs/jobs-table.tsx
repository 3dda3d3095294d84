import { useHotkeys } from '@mantine/hooks';
import type { JobList, JobRow } from '@svc/contracts';
import { isTerminal, logTypeLabels } from '@svc/domain';
import { IconArrowUp, IconFolder, IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useJobStates, usePolledStates } from '../../api/queries.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes, count, counted } from '../../ui/format.ts';
import { SeverityCell } from '../../ui/severity.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Tags } from '../../ui/tag.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { shortTypes } from '../../ui/log-types.ts';
import table from '../../ui/table.module.css';
import styles from './jobs-table.module.css';
import type { Density } from './jobs-view.ts';
import { settledRows } from './new-arrivals.ts';
import { focusStep } from '../../ui/focus-step.ts';

interface JobsTableProps {
  readonly list: JobList;
  readonly density: Density;
  /** The last look at the list failed; what is shown may be old. */
  readonly stale: boolean;
}

/** The jobs as they were when the page was opened, each as it is now; newer ones announce themselves. */
export function JobsTable({ list, density, stale }: JobsTableProps) {
  const [opened, setOpened] = useState(list);
  const body = useRef<HTMLTableSectionElement>(null);
  const { rows, arrived } = settledRows(opened, list);
  const running = rows.filter(({ status }) => !isTerminal(status)).map(({ job_id: id }) => id);
  usePolledStates(running);
  const states = new Map(useJobStates(running).map((state) => [state.job_id, state] as const));
  useHotkeys([
    ['j', () => focusStep(body.current, 'a[data-row]', 1)],
    ['k', () => focusStep(body.current, 'a[data-row]', -1)],
  ]);
  return (
    <div className={cx('card', table.wrap)}>
      {stale && (
        <p className={styles.stale} role="status">
          <IconPlugConnectedX size={16} stroke={1.75} aria-hidden="true" /> The service does not answer at the moment;
          this is what it last said.
        </p>
      )}
      {arrived > 0 && (
        <button type="button" className={styles.arrived} onClick={() => setOpened(list)}>
          <IconArrowUp size={14} stroke={2} aria-hidden="true" /> {counted(arrived, 'new job')}
        </button>
      )}
      <table className={cx(table.table, density === 'roomy' && cx(table.roomy, styles.roomy))}>
        <Head density={density} />
        <tbody ref={body}>
          {rows.map((job) => (
            <Row key={job.job_id} job={{ ...job, ...states.get(job.job_id) }} density={density} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ density }: { density: Density }) {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.status}>
          Status
        </th>
        <th scope="col">File</th>
        <th scope="col" className={cx(styles.type, styles.medium)}>
          Type
        </th>
        {density === 'compact' && (
          <th scope="col" className={cx(styles.workflow, styles.wide)}>
            Workflow
          </th>
        )}
        <th scope="col" className={styles.severity}>
          Severity
        </th>
        <th scope="col" className={cx(styles.matches, 'num')} data-hint="Matched events">
          Matches
        </th>
        <th scope="col" className={cx(styles.rules, 'num')} data-hint="Rules that matched">
          Rules
        </th>
        <th scope="col" className={cx(styles.submitter, styles.wide)}>
          Submitter
        </th>
        <th scope="col" className={cx(styles.age, 'num')}>
          Age
        </th>
      </tr>
    </thead>
  );
}

function Row({ job, density }: { job: JobRow; density: Density }) {
  const roomy = density === 'roomy';
  const done = isTerminal(job.status);
  return (
    <tr className={table.row}>
      <td>
        <StatusMark status={job.status} />
      </td>
      <td>
        <span className={styles.file}>
          <Link data-row to={paths.job} params={{ jobId: job.job_id }} className={styles.link}>
            <span data-hint={job.filename}>{job.filename}</span>
          </Link>
          <JobMarks job={job} mostTags={roomy ? 3 : 1} />
        </span>
        {roomy && (
          <span className={table.second}>
            #{job.job_id} · {bytes(job.size_bytes)}
            {job.error !== null && (
              <span className={cx(job.status === 'failed' && styles.error)} data-hint={job.error}>
                {' '}
                · {job.error}
              </span>
            )}
          </span>
        )}
      </td>
      <td className={cx(styles.medium, 'soft')}>
        <span data-hint={logTypeLabels[job.log_type]}>{shortTypes[job.log_type]}</span>
        {roomy && <span className={table.second}>{job.workflow.name}</span>}
      </td>
      {!roomy && <td className={cx(styles.wide, 'soft')}>{job.workflow.name}</td>}
      <td>
        <SeverityCell summary={job.severity_summary} status={job.status} />
      </td>
      <td className="num">{done ? count(job.total_findings) : '–'}</td>
      <td className="num">{done ? count(job.distinct_rules) : '–'}</td>
      <td className={cx(styles.wide, 'soft')}>{job.submitter}</td>
      <td className="num soft">
        <Age iso={job.created_at} />
        {roomy && (
          <span className={table.second}>
            <Time iso={job.created_at} />
          </span>
        )}
      </td>
    </tr>
  );
}

/** Who may read the job, the cases that hold it, and its tags. */
function JobMarks({ job, mostTags }: { job: JobRow; mostTags: number }) {
  const { is_private: isPrivate, member_cases: cases, tags } = job;
  const names = cases.map(({ name }) => name).join('\n');
  return (
    <>
      {isPrivate && (
        <span className={styles.mark} data-hint="Private: for the submitter and administrators">
          <IconLock size={14} stroke={1.75} aria-label="Private" />
        </span>
      )}
      {cases.length > 0 && (
        <span className={styles.mark} data-hint={names}>
          <IconFolder size={14} stroke={1.75} aria-label={`In ${counted(cases.length, 'case')}`} />
        </span>
      )}
      <Tags tags={tags} most={mostTags} />
    </>
  );
}

/** The table's layout while its rows are on their way. */
export function JobsTableSkeleton({ density }: { density: Density }) {
  const cells = [
    { width: 80 },
    { width: 200 },
    { width: 72, className: styles.medium },
    ...(density === 'compact' ? [{ width: 120, className: styles.wide }] : []),
    { width: 140 },
    { width: 32 },
    { width: 20 },
    { width: 88, className: styles.wide },
    { width: 40 },
  ];
  return (
    <div className={cx('card', table.wrap)} role="status" aria-busy="true" aria-label="Jobs are loading">
      <table className={cx(table.table, density === 'roomy' && cx(table.roomy, styles.roomy))}>
        <Head density={density} />
        <tbody>
          {Array.from({ length: 12 }, (_, row) => (
            <tr key={row} className={table.row}>
              {cells.map(({ width, className }, cell) => (
                // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
                <td key={cell} className={className}>
                  <Skeleton width={width} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
