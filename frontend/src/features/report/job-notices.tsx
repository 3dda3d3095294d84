import { Button } from '@mantine/core';
import type { JobDetail } from '@svc/contracts';
import { IconAlertTriangle, IconBan, IconClock, IconCopyCheck, IconFileAlert, IconRefresh } from '@tabler/icons-react';
import { isStale } from '@svc/domain';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { counted } from '../../ui/format.ts';
import { Notice, reasonOf } from '../../ui/states.tsx';
import { adviceFor } from './failure-advice.ts';
import styles from './job-notices.module.css';
import { useResubmit } from './use-resubmit.ts';

const route = getRouteApi(paths.job);
const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** What a reader must know before trusting the report: failures, gaps, damage, and that it is an older one. */
export function JobNotices({ job }: { job: JobDetail }) {
  const { dup } = route.useSearch();
  return (
    <>
      {dup ? <AnalysedBefore job={job} /> : <OldRules job={job} />}
      {job.status === 'failed' && <Failure job={job} />}
      {job.status === 'partial' && <Gaps job={job} />}
      {job.status === 'cancelled' && (
        <Notice tone="warn" icon={<IconBan {...icon} />}>
          <strong>Cancelled.</strong> What had been found by then is kept; the rest of the log was not looked at.
        </Notice>
      )}
      {job.delay !== null && job.finished_at !== null && (
        <Notice tone="info" icon={<IconClock {...icon} />}>
          {job.delay}
        </Notice>
      )}
      {job.warnings.length > 0 && <NotAllRead warnings={job.warnings} />}
    </>
  );
}

/** The report is an older one of the same bytes; accounts can run their own files anew from here. */
function AnalysedBefore({ job }: { job: JobDetail }) {
  return (
    <RunAgain job={job} action="Analyse again">
      <strong>Already analysed.</strong> This file was submitted before with the same workflow; this is that report.
    </RunAgain>
  );
}

/** The report may miss what rules of today would find. */
function OldRules({ job }: { job: JobDetail }) {
  const stale = job.rules?.packs.filter(({ name, age_days: days }) => isStale(name, days)) ?? [];
  if (job.rules?.newer) {
    return (
      <RunAgain job={job} action="Re-run with newer rules">
        <strong>Newer rules are in force</strong> than those that this file was checked with.
      </RunAgain>
    );
  }
  if (stale.length === 0) return null;
  return (
    <Notice tone="warn" icon={<IconClock {...icon} />}>
      <strong>Old rules.</strong> The newest rule of {stale.map(({ name }) => name).join(' and ')} is{' '}
      {counted(Math.max(...stale.map(({ age_days: days }) => days)), 'day')} old; what attackers do since then may be
      missed. Administrators can import a newer version.
    </Notice>
  );
}

function RunAgain({ job, action, children }: { job: JobDetail; action: string; children: ReactNode }) {
  const me = useMe();
  const resubmit = useResubmit(job);
  return (
    <Notice tone="info" icon={<IconCopyCheck {...icon} />}>
      <div className={styles.before}>
        <span className={styles.words}>
          {children}
          {me === null && (
            <>
              {' '}
              To run it anew, choose <strong>Analyse again</strong> beside the file on the{' '}
              <Link to={paths.submit}>Submit</Link> page.
            </>
          )}
          {resubmit.isError && (
            <p role="alert" className={styles.refused}>
              {reasonOf(resubmit.error)}
            </p>
          )}
        </span>
        {job.can_resubmit && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden="true" />}
            loading={resubmit.isPending}
            onClick={() => resubmit.mutate()}
          >
            {action}
          </Button>
        )}
      </div>
    </Notice>
  );
}

function Failure({ job }: { job: JobDetail }) {
  const { title, advice } = adviceFor(job.error_code);
  return (
    <Notice tone="bad" icon={<IconAlertTriangle {...icon} />}>
      <strong>{title}</strong> {advice}
      {job.error !== null && <p className={styles.detail}>{job.error}</p>}
      {job.error_code !== null && (
        <p className="faint">
          Code <code>{job.error_code}</code>
        </p>
      )}
    </Notice>
  );
}

function Gaps({ job }: { job: JobDetail }) {
  const failed = job.tasks.filter(({ status }) => status === 'failed');
  return (
    <Notice tone="warn" icon={<IconAlertTriangle {...icon} />}>
      <strong>Partial.</strong> {counted(failed.length, 'engine')} failed; the findings of the others are complete.
      <ul className={styles.list}>
        {failed.map(({ id, tool, error }) => (
          <li key={id}>
            <code>{tool}</code> {error}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** What was wrong with the log, or missing in it. */
export function NotAllRead({ warnings }: { warnings: readonly string[] }) {
  return (
    <Notice tone="warn" icon={<IconFileAlert {...icon} />}>
      <details open={warnings.length === 1}>
        <summary className={styles.summary}>
          <strong>Not all of the log could be read.</strong> What could be was analysed (
          {counted(warnings.length, 'warning')}).
        </summary>
        <ul className={styles.list}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </details>
    </Notice>
  );
}
