import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Button, TextInput } from '@mantine/core';
import type { CaseDetails, CaseTimelineJob, ClockHint } from '@svc/contracts';
import { caseLimits } from '@svc/domain';
import { IconClockExclamation } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { clockHintsQuery, setClock } from '../../api/case-story.ts';
import { cx } from '../../ui/class-names.ts';
import { fieldText } from '../../ui/form-fields.ts';
import { Failure } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import tools from '../../ui/panel-tools.module.css';
import { Notice } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { clockText, readClock } from './clock-text.ts';
import styles from './case-clocks.module.css';

interface ClocksProps {
  readonly of: CaseDetails;
  readonly jobs: readonly CaseTimelineJob[];
}

/** Where two logs of one host contradict each other, and how to set that right. */
export function ClockHints({ of, jobs }: ClocksProps) {
  const { data } = useQuery({ ...clockHintsQuery(of.id), enabled: jobs.length > 1 });
  const set = useSetClock(of.id);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  if (data === undefined || data.hints.length === 0) return null;
  return (
    <div className={styles.hints}>
      {set.error && <Failure error={set.error} />}
      {data.hints.map((hint) => (
        <Hint key={`${hint.job_id} ${hint.other_id}`} hint={hint} jobs={byId}>
          {of.can_edit && (
            <LinkButton
              disabled={set.isPending}
              onClick={() => {
                const now = byId.get(hint.job_id)?.clock_offset ?? 0;
                set.mutate({ job: hint.job_id, seconds: now + hint.seconds });
              }}
            >
              Take {clockText(hint.seconds).slice(1)} off {byId.get(hint.job_id)?.filename}
            </LinkButton>
          )}
        </Hint>
      ))}
    </div>
  );
}

/** How far the clocks of the logs were off. */
export function CaseClocks({ of, jobs }: ClocksProps) {
  const set = useSetClock(of.id);
  const [isOpen, setOpen] = useState(false);
  if (jobs.length === 0) return null;
  return (
    <section className={cx('card', tools.card)} aria-label="Clocks of the logs">
      <div className={tools.tools}>
        <h2 className={styles.title}>Clocks of the logs</h2>
        <span className={tools.facts} role="status">
          {summary(jobs)}
        </span>
        <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {of.can_edit ? 'Set clocks' : 'Show clocks'}
        </LinkButton>
      </div>
      {set.error && <Failure error={set.error} />}
      {isOpen && (
        <ul className={styles.clocks}>
          {jobs.map((job) => (
            <Clock
              key={`${job.id} ${job.clock_offset}`}
              job={job}
              onSet={of.can_edit ? (seconds) => set.mutate({ job: job.id, seconds }) : null}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function useSetClock(id: number) {
  return useMutation({
    mutationFn: ({ job, seconds }: { job: number; seconds: number }) => setClock(id, job, seconds),
  });
}

function summary(jobs: readonly CaseTimelineJob[]): string {
  const set = jobs.filter(({ clock_offset: offset }) => offset !== 0).length;
  return set === 0
    ? 'all as they are in the logs'
    : `${counted(set, 'clock')} set right: times here are those of the logs without it`;
}

interface HintProps {
  readonly hint: ClockHint;
  readonly jobs: ReadonlyMap<number, CaseTimelineJob>;
  readonly children: ReactNode;
}

function Hint({ hint, jobs, children }: HintProps) {
  return (
    <Notice tone="warn" icon={<IconClockExclamation size={18} stroke={1.75} aria-hidden />}>
      <span className={styles.hint}>
        <span>
          {jobs.get(hint.job_id)?.filename} tells of {hint.host} what {jobs.get(hint.other_id)?.filename} tells, but{' '}
          {clockText(hint.seconds).slice(1)} later: {hint.agreeing} of {counted(hint.compared, 'thing')} in both, such
          as {hint.example} at <Time iso={hint.time} /> and <Time iso={hint.other_time} />.
        </span>
        {children}
      </span>
    </Notice>
  );
}

function Clock({ job, onSet }: { job: CaseTimelineJob; onSet: ((seconds: number) => void) | null }) {
  const [error, setError] = useState<string | null>(null);
  const take = (text: string) => {
    const seconds = readClock(text);
    const isRefused = seconds === null || Math.abs(seconds) > caseLimits.clockOffset;
    setError(isRefused ? 'hours:minutes:seconds, such as +1:30:00 or -0:00:05' : null);
    if (!isRefused && seconds !== job.clock_offset) onSet?.(seconds);
  };
  return (
    <li className={styles.clock}>
      <span className={cx(styles.name, 'cut')} data-hint={job.filename}>
        {job.filename}
      </span>
      <span className={styles.span}>
        {job.first && job.last ? (
          <>
            <Time iso={job.first} /> – <Time iso={job.last} />
          </>
        ) : (
          'no times'
        )}
      </span>
      {onSet === null ? (
        <span>{clockText(job.clock_offset)}</span>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            take(fieldText(new FormData(event.currentTarget), 'ahead'));
          }}
        >
          <TextInput
            size="xs"
            name="ahead"
            aria-label={`How far the clock of ${job.filename} was ahead`}
            defaultValue={clockText(job.clock_offset)}
            error={error}
          />
          <Button type="submit" size="xs" variant="default">
            Set
          </Button>
        </form>
      )}
    </li>
  );
}
