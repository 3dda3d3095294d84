import type { JobRow } from '@svc/contracts';
import { isTerminal, logTypeLabels } from '@svc/domain';
import { IconChecks, IconFolder, IconLock } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes, count, counted } from '../../ui/format.ts';
import { shortTypes } from '../../ui/log-types.ts';
import { SeverityCell, SeverityMark } from '../../ui/severity.tsx';
import { StatusMark } from '../../ui/status.tsx';
import table from '../../ui/table.module.css';
import { Tags } from '../../ui/tag.tsx';
import { Age, Time } from '../../ui/time.tsx';
import type { ColumnKey } from './columns.ts';
import styles from './jobs-table.module.css';

const route = getRouteApi(paths.jobs);

interface CellProps {
  readonly job: JobRow;
  readonly roomy: boolean;
}

/** What a job shows in each column. */
export const jobCells: Readonly<Record<ColumnKey, (props: CellProps) => ReactNode>> = {
  status: ({ job }) => <StatusMark status={job.status} partlyRead={job.partly_read} why={job.error} />,
  file: FileCell,
  id: ({ job }) => <span className="soft">{job.job_id}</span>,
  type: ({ job }) => (
    <span className="soft" data-hint={logTypeLabels[job.log_type]}>
      {shortTypes[job.log_type]}
    </span>
  ),
  workflow: ({ job }) => (
    <span className="soft" data-hint={job.workflow.name}>
      {shortWorkflow(job.workflow.name)}
    </span>
  ),
  size: ({ job }) => <span className="soft">{bytes(job.size_bytes)}</span>,
  severity: ({ job }) => <SeverityCell summary={job.severity_summary} status={job.status} />,
  top: TopCell,
  matches: ({ job }) => (isTerminal(job.status) ? count(job.total_findings) : '–'),
  rules: ({ job }) => (isTerminal(job.status) && isKnown(job) ? count(job.distinct_rules) : '–'),
  ratio: ({ job }) => <span className="soft">{job.score_ratio}</span>,
  tags: TagsCell,
  submitter: ({ job }) => (
    <span className="soft" data-hint={job.submitter}>
      {job.submitter}
    </span>
  ),
  age: AgeCell,
};

/** Without the word that most names end in. */
function shortWorkflow(name: string): string {
  return name.replace(/ Analysis$/, '');
}

function FileCell({ job, roomy }: CellProps) {
  return (
    <>
      <span className={styles.file}>
        <Link data-row to={paths.job} params={{ jobId: job.job_id }} className={styles.link}>
          <span data-hint={job.filename}>{job.filename}</span>
        </Link>
        <JobMarks job={job} />
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
    </>
  );
}

/** How far its review has come, who may read the job, and the cases that hold it. */
function JobMarks({ job }: { job: JobRow }) {
  const { is_private: isPrivate, member_cases: cases, reviewed_rules: reviewed, distinct_rules: rules } = job;
  return (
    <>
      {reviewed > 0 && (
        <span className={cx(styles.mark, styles.reviewed)} data-hint={`${count(reviewed)} of ${count(rules)} reviewed`}>
          <IconChecks size={14} stroke={1.75} aria-hidden="true" />
          <span aria-hidden="true">
            {count(reviewed)}/{count(rules)}
          </span>
          <span className="sr-only">{`${count(reviewed)} of ${count(rules)} reviewed`}</span>
        </span>
      )}
      {isPrivate && (
        <span className={styles.mark} data-hint="Private: for the submitter and administrators">
          <IconLock size={14} stroke={1.75} aria-label="Private" />
        </span>
      )}
      {cases.length > 0 && (
        <span className={styles.mark} data-hint={cases.map(({ name }) => name).join('\n')}>
          <IconFolder size={14} stroke={1.75} aria-label={`In ${counted(cases.length, 'case')}`} />
        </span>
      )}
    </>
  );
}

/** Whether the row is as the list has it: the state of a job that has just ended tells its matches alone. */
function isKnown({ total_findings: matches, distinct_rules: rules }: JobRow): boolean {
  return matches === 0 || rules > 0;
}

/** The worst finding, which opens the report at it. */
function TopCell({ job }: CellProps) {
  const { job_id: jobId, top_finding: top, status } = job;
  if (!top) return <span className="faint">{isTerminal(status) && isKnown(job) ? 'None' : '–'}</span>;
  return (
    <Link to={paths.job} params={{ jobId }} search={{ finding: top.id }} className={styles.top} tabIndex={-1}>
      <SeverityMark severity={top.severity} />
      <span data-hint={top.rule_name}>{top.rule_name}</span>
    </Link>
  );
}

/** How many tags fit into their column, by their letters. */
function wholeTags([first, second, ...others]: JobRow['tags']): number {
  const letters = (first?.tag.length ?? 0) + (second?.tag.length ?? 0);
  return letters <= 13 && others.length === 0 ? 2 : 1;
}

function TagsCell({ job: { tags } }: CellProps) {
  const { q = '' } = route.useSearch();
  return (
    <div className={styles.tags}>
      <Tags tags={tags} most={wholeTags(tags)} within={{ q }} />
    </div>
  );
}

function AgeCell({ job, roomy }: CellProps) {
  return (
    <span className="soft">
      <Age iso={job.created_at} />
      {roomy && (
        <span className={table.second}>
          <Time iso={job.created_at} />
        </span>
      )}
    </span>
  );
}
