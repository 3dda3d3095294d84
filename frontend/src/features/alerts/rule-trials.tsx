import { Button } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { TextInput } from '@mantine/core';
import type { AlertRule, operations, OutputOf } from '@svc/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import {
  backtestQuery,
  backtestsQuery,
  dryRunRule,
  ruleDeeds,
  useRuleDeed,
  type RuleConditionAsked,
} from '../../api/alert-rules.ts';
import { paths } from '../../paths.ts';
import { typeNames } from '../../ui/entity-type-names.ts';
import { Failure } from '../../ui/form.tsx';
import { count, counted, moment } from '../../ui/format.ts';
import { Notice } from '../../ui/states.tsx';
import styles from './rules.module.css';

type Preview = OutputOf<typeof operations.previewAlertRule>;
const DAY = 86_400_000;

/** What the condition finds now, with the first of it. */
export function RulePreview({ preview, scope }: { preview: Preview; scope: AlertRule['scope'] }): ReactNode {
  const { count: many, approximate, entities, jobs } = preview;
  const words = scope === 'job' ? counted(many, 'job') : counted(many, 'entity', 'entities');
  return (
    <section className={styles.preview} aria-label="What it finds now">
      <p role="status">
        Finds {approximate ? `more than ${words}` : words} now
        {scope === 'entity' && ', in all jobs of everybody'}
        {many > entities.length + jobs.length && entities.length + jobs.length > 0 && '; the first of them:'}
      </p>
      <ul className={styles.found}>
        {entities.map(({ id, type, value }) => (
          <li key={id}>
            <span className="faint">{typeNames[type]}</span>{' '}
            <Link to={paths.entity} params={{ entityId: id }} target="_blank">
              <code>{value}</code>
            </Link>
          </li>
        ))}
        {jobs.map(({ id, filename }) => (
          <li key={id}>
            <span className="faint">{id}</span> <JobLink id={id} text={filename} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the condition would have told: of the last jobs at once, of a range of time aside. */
export function RuleTrials({ condition, isSound }: { condition: RuleConditionAsked; isSound: boolean }): ReactNode {
  const dryRun = useMutation({ mutationFn: dryRunRule });
  const [range, setRange] = useState(() => ({ since: dayOf(-30), until: dayOf(1) }));
  const [shown, setShown] = useState<number | null>(null);
  const { data: kept } = useQuery(backtestsQuery);
  const begin = useRuleDeed(ruleDeeds.beginBacktest, { done: ({ id }) => setShown(id) });
  const error = dryRun.error ?? begin.error;
  return (
    <section className={styles.trials} aria-label="Try it">
      <div className={styles.trying}>
        <Button
          variant="default"
          disabled={!isSound}
          loading={dryRun.isPending}
          onClick={() => dryRun.mutate(condition)}
        >
          Test against recent jobs
        </Button>
        <form
          className={styles.range}
          onSubmit={(event) => {
            event.preventDefault();
            const [since, until] = [new Date(range.since), new Date(range.until)];
            begin.mutate({ ...condition, since: since.toISOString(), until: until.toISOString() });
          }}
        >
          <TextInput
            label="From"
            type="date"
            size="xs"
            required
            withAsterisk={false}
            value={range.since}
            onChange={({ currentTarget }) => setRange({ ...range, since: currentTarget.value })}
          />
          <TextInput
            label="Before"
            type="date"
            size="xs"
            required
            withAsterisk={false}
            min={range.since}
            value={range.until}
            onChange={({ currentTarget }) => setRange({ ...range, until: currentTarget.value })}
          />
          <Button type="submit" variant="default" disabled={!isSound} loading={begin.isPending}>
            Back-test
          </Button>
        </form>
      </div>
      {error && <Failure error={error} />}
      {dryRun.data && <DryRun result={dryRun.data} />}
      {shown !== null && <Backtest id={shown} />}
      {kept !== undefined && kept.backtests.some(({ id }) => id !== shown) && (
        <details>
          <summary>Earlier back-tests</summary>
          <ul className={styles.found}>
            {kept.backtests.map(({ id, query, status, since, until }) => (
              <li key={id}>
                <button type="button" className={styles.kept} onClick={() => setShown(id)}>
                  <code>{query === '' ? 'everything' : query}</code>
                </button>{' '}
                <span className="faint">
                  {moment(since)?.utc.slice(0, 10)} to {moment(until)?.utc.slice(0, 10)} · {status}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function DryRun({ result }: { result: OutputOf<typeof operations.dryRunAlertRule> }) {
  if (result.jobs === 0) return <p role="status">There is no job with a result yet</p>;
  return (
    <>
      <p role="status">
        {counted(result.alerts, 'match', 'matches')} in {count(result.matched_jobs)} of the last{' '}
        {counted(result.jobs, 'job')} that you see
      </p>
      <ul className={styles.found}>
        {result.per_job.map((one) => (
          <li key={one.job_id}>
            <JobLink id={one.job_id} text={`Job ${one.job_id}`} /> <span className="num">{count(one.count)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How a back-test stands, and what it has found. */
function Backtest({ id }: { id: number }) {
  const [page, setPage] = useState(1);
  const { data, error } = useQuery(backtestQuery(id, page));
  const cancel = useRuleDeed(ruleDeeds.cancelBacktest);
  if (error) return <Failure error={error} />;
  if (data === undefined) return null;
  const isRunning = data.status === 'pending' || data.status === 'running';
  return (
    <div className={styles.backtest}>
      <p role="status">
        {[words[data.status], data.detail].filter(Boolean).join(': ')}
        {' · '}
        {counted(data.matches, 'match', 'matches')} in {counted(data.matched_jobs, 'job')}
      </p>
      {isRunning && (
        <>
          <progress max={Math.max(1, data.jobs_total)} value={data.jobs_done} aria-label="Jobs looked at" />
          <Button variant="default" size="compact-xs" loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
            Stop
          </Button>
        </>
      )}
      {data.status === 'failed' && <Notice tone="bad">{data.detail}</Notice>}
      <ul className={styles.found}>
        {data.found.map(({ job, count: many, entities }) => (
          <li key={job.id}>
            <JobLink id={job.id} text={job.filename} /> <span className="num">{count(many)}</span>{' '}
            {entities.map((entity) => (
              <code key={entity.id} className={styles.value}>
                {entity.value}
              </code>
            ))}
            {many > entities.length && entities.length > 0 && <span className="faint"> and more</span>}
          </li>
        ))}
      </ul>
      {data.total_pages > 1 && (
        <p className={styles.pages}>
          <Button variant="default" size="compact-xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Earlier page
          </Button>
          {page} of {data.total_pages}
          <Button
            variant="default"
            size="compact-xs"
            disabled={page === data.total_pages}
            onClick={() => setPage(page + 1)}
          >
            Next page
          </Button>
        </p>
      )}
    </div>
  );
}

const words = { pending: 'Waiting', running: 'Looking', completed: 'Done', failed: 'Failed', cancelled: 'Stopped' };

function JobLink({ id, text }: { id: number; text: string }) {
  return (
    <Link to={paths.job} params={{ jobId: id }} target="_blank">
      {text}
    </Link>
  );
}

/** A day from now, as a field of dates has it. */
function dayOf(days: number): string {
  return new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
}
