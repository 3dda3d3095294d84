import type { JobDetail } from '@svc/contracts';
import { severities } from '@svc/domain';
import { IconCircleCheck, IconHelpCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { cx } from '../../ui/class-names.ts';
import { count, counted, duration, moment, sentence } from '../../ui/format.ts';
import { SeverityBar, severityColors, worstOf } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';
import { useJobView } from './use-job-view.ts';
import styles from './verdict.module.css';

/** What of a job the verdict is made from. */
export type Judged = Pick<
  JobDetail,
  | 'distinct_rules'
  | 'events'
  | 'first_event_at'
  | 'last_event_at'
  | 'score_ratio'
  | 'severity_summary'
  | 'status'
  | 'total_findings'
> & { readonly rules: Pick<NonNullable<JobDetail['rules']>, 'loaded'> | null };

/** Is it bad, and how much of it: the answer of the first glance, beside the name of the log. */
export function VerdictMark({ job }: { job: Judged }) {
  const worst = worstOf(job.severity_summary);
  if (worst === null) return null;
  return (
    <section className={styles.mark} aria-label="Verdict" style={severityColors(worst)}>
      <span className={styles.worst} data-hint="The worst severity of all findings">
        <span className={styles.letter} aria-hidden="true">
          {worst.charAt(0).toUpperCase()}
        </span>
        {sentence(worst)}
      </span>
      <span>
        <strong>{count(job.total_findings)}</strong> {job.total_findings === 1 ? 'matched event' : 'matched events'}
      </span>
      <span>
        <strong>{count(job.distinct_rules)}</strong> {job.distinct_rules === 1 ? 'rule' : 'rules'}
      </span>
      <Engines job={job} />
    </section>
  );
}

/** The matched events of each severity, and what is known of the file, `children`. */
export function VerdictDetails({ job, children }: { job: Judged; children: ReactNode }) {
  return (
    <div className={styles.more}>
      {worstOf(job.severity_summary) !== null && (
        <div className={cx('card', styles.severities)}>
          <SeverityBar summary={job.severity_summary} />
          <Legend job={job} />
          <Span job={job} />
        </div>
      )}
      {children}
    </div>
  );
}

/** Of one engine the findings are the verdict; of several it tells how many of them found something. */
function Engines({ job: { score_ratio: ratio } }: { job: Judged }) {
  const [found = '', ran = ''] = ratio.split('/');
  if (!(Number(ran) > 1)) return null;
  return (
    <span className="soft">
      {found} of {ran} engines found something
    </span>
  );
}

/** Matched events of each severity; each number narrows the findings to its own. */
function Legend({ job }: { job: Judged }) {
  const [{ severity: chosen }, change] = useJobView();
  return (
    <div className={styles.legend}>
      {severities.map((severity) => {
        const matches = job.severity_summary[severity];
        const only = chosen?.length === 1 && chosen[0] === severity;
        return (
          <button
            key={severity}
            type="button"
            className={styles.entry}
            style={severityColors(severity)}
            disabled={matches === 0}
            aria-pressed={only}
            data-hint={matches === 0 ? undefined : only ? 'Show all severities' : `Show ${severity} findings only`}
            onClick={() => change({ severity: only ? undefined : [severity] })}
          >
            <span className={styles.dot} aria-hidden="true" />
            <span className={styles.name}>{severity === 'informational' ? 'Info' : sentence(severity)}</span>
            <span className={styles.number}>{count(matches)}</span>
          </button>
        );
      })}
    </div>
  );
}

function Span({ job: { first_event_at: first, last_event_at: last } }: { job: Judged }) {
  if (first === null || last === null) return <span className="soft">The matched events carry no times</span>;
  const length = (moment(last)?.at ?? 0) - (moment(first)?.at ?? 0);
  return (
    <span className="soft">
      <Time iso={first} />
      {first !== last && (
        <>
          {' – '}
          <Time iso={last} />
        </>
      )}{' '}
      <span className="faint">UTC{length > 0 && `, over ${duration(length)}`}</span>
    </span>
  );
}

/** What it means that a log has no findings. */
export function NothingFound({ job }: { job: Judged }) {
  const looked = job.status === 'completed' || job.status === 'partial';
  const isEmpty = looked && job.events === 0;
  const isClean = looked && !isEmpty;
  const Icon = isClean ? IconCircleCheck : IconHelpCircle;
  return (
    <section className={cx('card', styles.nothing)} aria-label="Verdict">
      <Icon size={32} stroke={1.5} className={isClean ? styles.good : 'faint'} aria-hidden="true" />
      <div>
        <div className={styles.word}>
          {isEmpty ? 'The log has no events' : looked ? 'No rule matched' : 'No verdict'}
        </div>
        <p className="soft">
          {isEmpty
            ? 'It could be read to its end, and there was nothing in it to check. Export the log anew if you expected events.'
            : looked
              ? `${job.events === null ? 'The events were' : `${counted(job.events, 'event')} ${job.events === 1 ? 'was' : 'were'}`} checked against ${
                  job.rules === null ? 'the rules' : counted(job.rules.loaded, 'rule')
                }. That says no rule knows what is in this log; it does not say that nothing happened.`
              : 'The log was not analysed to its end, so nothing can be said about it.'}
        </p>
      </div>
    </section>
  );
}
