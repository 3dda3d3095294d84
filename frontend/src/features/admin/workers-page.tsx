import { Button } from '@mantine/core';
import { call, operations, type Fleet, type Worker, type WorkerHost } from '@svc/contracts';
import { IconAlertTriangle, IconServer } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changeFleet, fleetQuery } from '../../api/admin.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import styles from './workers-page.module.css';

const stateWords: Readonly<Record<WorkerHost['state'], string>> = {
  working: 'Works',
  idle: 'Waits for jobs',
  draining: 'Finishes what it has',
  paused: 'Paused',
  silent: 'Silent',
};

/** Who analyses jobs, by host, and how many each host may have. */
export function WorkersPage(): ReactNode {
  const { data, error, refetch } = useQuery(fleetQuery);
  if (data === undefined && error) {
    return <ErrorState whole what="The workers cannot be listed" error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <title>Workers · svc</title>
      <PageHead title="Workers" />
      {data === undefined ? <Skeleton height={320} /> : <FleetView fleet={data} />}
    </>
  );
}

function FleetView({ fleet }: { fleet: Fleet }) {
  const { hosts, queue_depth: waiting, stuck_jobs: stuck, other_jobs: others } = fleet;
  const oldest = Math.max(0, ...fleet.lanes.map(({ oldest_seconds: seconds }) => seconds ?? 0));
  return (
    <>
      <p className={cx('soft', styles.queue)} role="status">
        {waiting === 0
          ? 'No job waits for a worker.'
          : `${waiting} ${waiting === 1 ? 'job waits' : 'jobs wait'} for a worker${oldest >= 1 ? `, the first for ${Math.round(oldest)} s` : ''}.`}
        {others > 0 && ` ${others} more ${others === 1 ? 'is' : 'are'} analysed by functions, which have no row here.`}
      </p>
      {stuck.length > 0 && <StuckJobs jobs={stuck} />}
      {hosts.length === 0 ? (
        <EmptyState icon={IconServer} title="No worker runs now">
          {fleet.on_demand
            ? 'Functions analyse small logs. Workers are started when a large one waits, and end when they have nothing to do.'
            : 'Start one with npm run worker, or set TASKQ_WORKERS above 0 for the process that serves.'}
        </EmptyState>
      ) : (
        hosts.map((host) => (
          <Host
            key={host.hostname}
            host={host}
            workers={fleet.workers.filter(({ hostname }) => hostname === host.hostname)}
          />
        ))
      )}
      <p className={cx('soft', styles.rule)}>
        Rule of thumb: as many jobs at a time as there are cores, or as there are 1.5 GB of memory, whichever is less;
        one fewer where the same host also serves pages. At most 0 is any number. A host that is paused still works when
        no other does.
      </p>
    </>
  );
}

function StuckJobs({ jobs }: { jobs: Fleet['stuck_jobs'] }) {
  const recover = useMutation({ mutationFn: () => changeFleet(() => call(operations.recoverStuckJobs, {})) });
  return (
    <div className={styles.part}>
      <Notice tone="warn" icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}>
        Nobody works on{' '}
        {jobs.slice(0, 10).map(({ job_id: id }, place) => (
          <span key={id}>
            {place > 0 && ', '}
            <JobLink id={id} />
          </span>
        ))}
        {jobs.length > 10 && ` and ${jobs.length - 10} more`}, though {jobs.length === 1 ? 'it is' : 'they are'} under
        way. They are put back in motion every five minutes, or now:{' '}
        <Button variant="default" size="compact-sm" loading={recover.isPending} onClick={() => recover.mutate()}>
          Recover
        </Button>
      </Notice>
      {recover.error && <Failure error={recover.error} />}
    </div>
  );
}

function Host({ host, workers }: { host: WorkerHost; workers: readonly Worker[] }) {
  const { hostname, cores, peak_threads: peak } = host;
  return (
    <section className={cx('card', styles.host)} aria-label={hostname}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2>{hostname}</h2>
          <p className="soft">
            <span role="status" className={host.state === 'silent' ? styles.bad : undefined}>
              {host.works_anyway ? 'Paused, and works all the same: no other host does' : stateWords[host.state]}
            </span>{' '}
            · {host.active_jobs} of {host.threads} places taken
            {host.max_concurrent_jobs > 0 && `, at most ${host.max_concurrent_jobs}`} ·{' '}
            <span className={peak > cores ? styles.warn : undefined}>
              {peak} {peak === 1 ? 'thread' : 'threads'} at its peak on {cores} {cores === 1 ? 'core' : 'cores'}
            </span>
          </p>
        </div>
        <CapControl host={host} />
      </div>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">Jobs under way</th>
            <th scope="col" className={cx(styles.count, 'num')}>
              Places
            </th>
            <th scope="col" className={cx(styles.count, 'num')}>
              Done
            </th>
            <th scope="col" className={cx(styles.seen, 'num')}>
              Last sign
            </th>
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <WorkerRow key={worker.process} worker={worker} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function WorkerRow({ worker }: { worker: Worker }) {
  const { ip_address: address, memory_gb: memory, runtime_version: runtime } = worker;
  const about = [
    worker.process,
    address,
    `${worker.os} ${worker.arch}`,
    runtime,
    `${memory} GB`,
    `version ${worker.version}`,
  ];
  return (
    <tr className={table.row}>
      <td data-hint={about.filter(Boolean).join('\n')}>{worker.worker_name}</td>
      <td>
        {worker.jobs.length === 0 && <span className="faint">–</span>}
        {worker.jobs.map(({ job_id: id, since }, place) => (
          <span key={`${id} ${since}`}>
            {place > 0 && ', '}
            {id === null ? 'other work' : <JobLink id={id} />}{' '}
            <span className="faint">
              <Age iso={since} />
            </span>
          </span>
        ))}
      </td>
      <td className="num">{worker.threads}</td>
      <td className="num">{worker.jobs_completed}</td>
      <td className="num soft">
        <Age iso={worker.last_seen} />
      </td>
    </tr>
  );
}

/** Pausing drains: what is under way is finished. */
function CapControl({ host: { hostname, max_concurrent_jobs: cap } }: { host: WorkerHost }) {
  const limit = useMutation({
    mutationFn: (to: number) => changeFleet(() => call(operations.limitWorker, { hostname, max_concurrent_jobs: to })),
  });
  return (
    <form
      className={styles.cap}
      onSubmit={(event) => {
        event.preventDefault();
        const to = Number(new FormData(event.currentTarget).get('most'));
        if (Number.isInteger(to) && to >= 0) limit.mutate(to);
      }}
    >
      <label>
        At most
        <input
          key={cap}
          name="most"
          type="number"
          min={0}
          max={10_000}
          required
          defaultValue={Math.max(0, cap)}
          className={styles.most}
          aria-label={`Jobs at a time on ${hostname}, 0 for any number`}
        />
      </label>
      <Button type="submit" variant="default" size="compact-sm" disabled={limit.isPending}>
        Limit
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        loading={limit.isPending}
        aria-label={`${cap < 0 ? 'Resume' : 'Pause'} ${hostname}`}
        data-hint={cap < 0 ? undefined : 'It finishes what it has and begins nothing; restart it then, and resume'}
        onClick={() => limit.mutate(cap < 0 ? 0 : -1)}
      >
        {cap < 0 ? 'Resume' : 'Pause'}
      </Button>
      {limit.error && <Failure error={limit.error} />}
    </form>
  );
}

function JobLink({ id }: { id: number }) {
  return (
    <Link to={paths.job} params={{ jobId: id }}>
      #{id}
    </Link>
  );
}
