import { AppError, countedEnds, durationBounds, notFound, type Actor, type LiveWorker } from '@svc/domain';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Durations, Figure } from '../ports/metrics.ts';
import type { Ports } from '../ports/ports.ts';

export type MetricsPorts = Pick<
  Ports,
  'clock' | 'deployment' | 'figures' | 'log' | 'metrics' | 'queueDepths' | 'workers'
>;

/** How long what reads whole tables stands for those who ask next. */
const standsMs = 60_000;

/** The service in numbers, for whoever has the token: what is in the database, and what this process has counted. */
export function sharedMetrics(ports: MetricsPorts) {
  const counts = kept(ports, () => ports.figures.jobsByStatus());
  const bytes = kept(ports, () => ports.figures.storedBytes());
  return async (
    _actor: Actor,
    _input: unknown,
    { headers }: { readonly headers: Readonly<Record<string, string | undefined>> },
  ): Promise<Uint8Array> => {
    holdToken(ports, headers['authorization']);
    const stored = await stateFigures(ports, counts, bytes).catch((error: unknown) => {
      ports.log.warn('no metrics of what is stored', { error });
      return null;
    });
    const text = await ports.metrics.text([
      gauge('svc_build_info', 'The version that answers.', [[{ version: ports.deployment.version }, 1]]),
      gauge('svc_database_up', 'Whether the database has answered; the figures of it are missing else.', [
        [{}, stored === null ? 0 : 1],
      ]),
      ...(stored ?? []),
    ]);
    return Buffer.from(text);
  };
}

/** In the time that it takes whatever was sent. */
function holdToken({ deployment }: Pick<Ports, 'deployment'>, authorization = ''): void {
  if (deployment.metricsToken === null) throw notFound('address');
  const [, sent] = /^bearer\b\s*(.*)$/is.exec(authorization) ?? [];
  if (sent === undefined) throw new AppError('unauthenticated', 'Send the METRICS_TOKEN as a bearer token');
  if (!timingSafeEqual(digestOf(sent), digestOf(deployment.metricsToken))) {
    throw new AppError('bad_token', 'This is not the METRICS_TOKEN of the service');
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function stateFigures(
  { clock, queueDepths, workers }: MetricsPorts,
  jobCounts: () => ReturnType<Ports['figures']['jobsByStatus']>,
  storedBytes: () => ReturnType<Ports['figures']['storedBytes']>,
): Promise<readonly (Figure | Durations)[]> {
  const [lanes, fleet, jobs, bytes] = await Promise.all([
    queueDepths.lanes(),
    workers.fleet(),
    jobCounts(),
    storedBytes(),
  ]);
  return [
    gauge(
      'svc_queue_tasks',
      'Tasks of a lane, by whether they wait for a worker, for their time, or are under way.',
      lanes.flatMap(({ lane, waiting, delayed, underWay }) => [
        [{ lane, state: 'waiting' }, waiting],
        [{ lane, state: 'delayed' }, delayed],
        [{ lane, state: 'under_way' }, underWay],
      ]),
    ),
    gauge(
      'svc_queue_oldest_seconds',
      'For how long the first task that waits has been there; 0 when none does. Of SQS, CloudWatch knows.',
      lanes.flatMap(({ lane, waiting, oldestSeconds }) =>
        oldestSeconds === null && waiting > 0 ? [] : [[{ lane }, oldestSeconds ?? 0]],
      ),
    ),
    gauge(
      'svc_jobs',
      'Jobs that there are.',
      [...jobs].map(([status, count]) => [{ status }, count]),
    ),
    gauge(
      'svc_store_bytes',
      'Bytes of the database, and of files as its rows say.',
      [...bytes].map(([store, count]) => [{ store }, count]),
    ),
    ...workerFigures(fleet.workers, clock.now()),
  ];
}

function labelsOf({ facts }: LiveWorker) {
  return { worker: facts.process, hostname: facts.hostname };
}

/** What each worker process counts reaches monitoring by its row, as it has no port of its own. */
function workerFigures(workers: readonly LiveWorker[], now: Date): readonly (Figure | Durations)[] {
  const each = (value: (worker: LiveWorker) => number): LabelledValues =>
    workers.map((worker) => [labelsOf(worker), value(worker)]);
  return [
    gauge(
      'svc_worker_places',
      'Jobs that a worker process analyses at the same time.',
      each(({ facts }) => facts.threads),
    ),
    gauge(
      'svc_worker_jobs',
      'Jobs that a worker process has under way.',
      each(({ jobs }) => jobs.length),
    ),
    gauge(
      'svc_worker_silence_seconds',
      'Since a worker process told of itself last.',
      each(({ lastSeen }) => Math.max(0, (now.getTime() - lastSeen.getTime()) / 1000)),
    ),
    {
      name: 'svc_analyses',
      help: 'Analyses that a worker process has ended, by how.',
      type: 'counter',
      samples: workers.flatMap((worker) =>
        countedEnds.map((end) => ({ labels: { ...labelsOf(worker), end }, value: worker.counts.ended[end] })),
      ),
    },
    {
      name: 'svc_analysis_duration_seconds',
      help: 'How long the analyses of a worker process took.',
      type: 'histogram',
      bounds: durationBounds,
      samples: workers.map((worker) => {
        const { durations, ended, seconds } = worker.counts;
        const total = Object.values(ended).reduce((sum, count) => sum + count, 0);
        return { labels: labelsOf(worker), counts: durations, total, seconds };
      }),
    },
  ];
}

type LabelledValues = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

function gauge(name: string, help: string, samples: LabelledValues): Figure {
  return { name, help, type: 'gauge', samples: samples.map(([labels, value]) => ({ labels, value })) };
}

/** Found out once for all who ask within a minute. */
function kept<T>({ clock }: Pick<Ports, 'clock'>, find: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly found: Promise<T> } | null = null;
  return () => {
    const now = clock.now().getTime();
    if (last === null || now - last.at >= standsMs) {
      const found = find();
      last = { at: now, found };
      found.catch(() => (last = null));
    }
    return last.found;
  };
}
