import type { JobDetail, TaskState } from '@svc/contracts';
import { isPostStep, logTypeLabels } from '@svc/domain';
import type { ReactNode } from 'react';
import { cx } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { bytes, count, counted, duration } from '../../ui/format.ts';
import { StatusMark } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './file-facts.module.css';
import { StepName } from './step-name.tsx';

type UsedPack = NonNullable<JobDetail['rules']>['packs'][number];

/** What was analysed, with what, by whom and how long it took. */
export function FileFacts({ job }: { job: JobDetail }) {
  return (
    <FactsCard>
      <Fact name="SHA-256" wide>
        <code className="cut" data-hint={job.file.sha256}>
          {job.file.sha256}
        </code>
        <CopyButton text={job.file.sha256} what="SHA-256" className={styles.copy} />
      </Fact>
      <Fact name="Type">
        {logTypeLabels[job.effective_log_type]}
        {job.detected_type !== job.effective_log_type && (
          <span className="faint"> (detected: {logTypeLabels[job.detected_type]})</span>
        )}
      </Fact>
      <Fact name="Size">{bytes(job.file.size_bytes)}</Fact>
      <Fact name="Workflow">{job.workflow.name}</Fact>
      <Fact name="Events read">{job.events === null ? '–' : count(job.events)}</Fact>
      <Fact name="Rules">
        <UsedRules rules={job.rules} />
      </Fact>
      <Fact name="Duration">{durationOf(job)}</Fact>
      <Fact name="Submitted">
        <Time iso={job.created_at} zone />
      </Fact>
      <Fact name="By">
        {job.submitter}
        <span className="faint"> · {job.is_private ? 'private' : 'public'}</span>
      </Fact>
      {tellsMore(job) && (
        <Fact name="Steps" wide>
          <ul className={styles.tasks}>
            {job.tasks.map((task) => (
              <li key={task.id} data-hint={task.error ?? undefined}>
                <StepName tool={task.tool} /> <StatusMark status={task.status} />
                <span className="faint">{outcomeOf(task)}</span>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </FactsCard>
  );
}

/** What is known of a file, side by side. */
export function FactsCard({ children }: { children: ReactNode }) {
  return (
    <section className={cx('card', styles.card)} aria-label="File">
      <dl className={styles.facts}>{children}</dl>
    </section>
  );
}

/** One thing that is known of a file. */
export function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={cx(styles.fact, wide && styles.wide)}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

/** How many rules a log was held against, of which packs. */
export function UsedRules({ rules }: { rules: Omit<NonNullable<JobDetail['rules']>, 'newer'> | null }) {
  if (rules === null) return '–';
  return (
    <span className={styles.packs} data-hint={rules.packs.map(packLine).join('\n') || `${rules.name} ${rules.version}`}>
      {count(rules.loaded)}{' '}
      <span className="faint">of {rules.packs.map(packText).join(', ') || `${rules.name} ${rules.version}`}</span>
      {rules.rejected > 0 && <span className={styles.rejected}> · {count(rules.rejected)} rejected</span>}
    </span>
  );
}

function packText({ name, version, age_days: days }: UsedPack): string {
  return `${name} ${version} · ${days === 0 ? 'today' : counted(days, 'day')}`;
}

function packLine({ name, version, dated_at: dated, age_days: days }: UsedPack): string {
  return `${name} ${version}: newest rule of ${dated}, ${counted(days, 'day')} ago`;
}

function outcomeOf({ tool, status, findings_count: rules, duration_ms: ms }: TaskState): string {
  if (isPostStep(tool)) return '';
  const took = ms === null ? '' : duration(ms);
  return status === 'completed' ? `${counted(rules, 'rule')}${took && `, ${took}`}` : took && `after ${took}`;
}

function durationOf({ started_at: started, finished_at: finished }: JobDetail): string {
  return started === null || finished === null ? '–' : duration(Date.parse(finished) - Date.parse(started));
}

/** One engine that ran through is no news; several, or one that did not, are. */
function tellsMore({ tasks }: JobDetail): boolean {
  return (
    tasks.filter(({ tool }) => !isPostStep(tool)).length > 1 ||
    tasks.some(({ status }) => status === 'failed' || status === 'skipped' || status === 'cancelled')
  );
}
