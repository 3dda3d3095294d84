import { compose } from '@svc/adapters/compose.ts';
import { handleLease, WorkerStopping, type LeasePorts } from '@svc/application/analysis/handle-lease.ts';
import type { MaintenancePorts } from '@svc/application/maintenance/run-periodic-task.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import { missingPacks } from '@svc/application/rules/check-rule-packs.ts';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdleWatch } from './idle-watch.ts';
import { startPeriodicTasks } from './periodic.ts';

export type WorkerPorts = LeasePorts & MaintenancePorts;

const waitMs = 20_000;
const troubleMs = 1000;
/** How long jobs wait at most for rule packs that are not here yet. */
const packsMs = 120_000;

/** A worker at work. */
export interface Worker {
  /** Gives unfinished jobs back and resolves when all is quiet. */
  stop(): Promise<void>;
  /** Resolves when it has ended, also by itself. */
  readonly ended: Promise<void>;
}

/**
 * Works through the queue with as many jobs at a time as the deployment says, and runs the periodic
 * tasks.
 * @param idleExitSeconds - it ends after having had nothing to do for so long; null for never
 */
export function startWorker(
  ports: WorkerPorts = compose(
    'apiTokens',
    'backgroundTasks',
    'clock',
    'comments',
    'deployment',
    'derivations',
    'droppedObjects',
    'digests',
    'engines',
    'files',
    'findings',
    'jobs',
    'jobLists',
    'jobViews',
    'knownNetworks',
    'launcher',
    'ledger',
    'log',
    'objects',
    'outbound',
    'rawOutputs',
    'results',
    'reportConfig',
    'ruleArtifacts',
    'ruleCompiler',
    'rulePacks',
    'sessionStore',
    'settings',
    'tasks',
    'uploads',
    'workflows',
  ),
  idleExitSeconds: number | null = null,
): Worker {
  const leave = new AbortController();
  const closing = new AbortController();
  const watch = new IdleWatch(idleExitSeconds, () => closing.abort());
  const work = { ports, leave: leave.signal, closing: AbortSignal.any([leave.signal, closing.signal]), watch };
  const periodic = startPeriodicTasks(ports);
  const packs = watch.during(() => packsAreHere(work, periodic.begun('rule-packs')));
  const { workers } = ports.deployment;
  const slots = Array.from({ length: workers }, async (_, slot) => {
    await packs;
    // One place is for small tasks, which never wait for large ones then.
    const place = { worker: `${hostname()}:${process.pid}:${slot}`, isForSmall: slot === 0, isOnly: workers === 1 };
    await drain(work, place);
  });
  const finish = async (): Promise<void> => {
    await Promise.all(slots);
    await periodic.stop();
    watch.close();
  };
  const ended = finish();
  return {
    stop: () => {
      leave.abort(new WorkerStopping('the worker is stopping'));
      return ended;
    },
    ended,
  };
}

interface Work {
  readonly ports: WorkerPorts;
  /** Has jobs that are under way given back. */
  readonly leave: AbortSignal;
  /** Has no more jobs taken. */
  readonly closing: AbortSignal;
  readonly watch: IdleWatch;
}

/**
 * Packs that the operator has named are tried before the first job is: a report without their rules looks cleaner
 * than its log is. It does not wait for those that are here already, though there may be newer ones.
 */
async function packsAreHere({ ports, closing }: Work, tried: Promise<void>): Promise<void> {
  // Where the database is away, draining says so.
  const missing = await missingPacks(ports).catch(() => []);
  if (missing.length === 0 || closing.aborted) return;
  ports.log.info('jobs wait for rule packs that are not here yet', { packs: missing.join(', ') });
  const over = sleep(packsMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
  await Promise.race([tried, over]);
}

/** Where one task is worked on at a time. */
interface Place {
  readonly worker: string;
  readonly isForSmall: boolean;
  /** The process has no other. */
  readonly isOnly: boolean;
}

/** Receives and handles one task after another until told to stop. */
async function drain({ ports, leave, closing, watch }: Work, { worker, isForSmall, isOnly }: Place): Promise<void> {
  const lane = isForSmall && !isOnly ? ('fast' as const) : undefined;
  let isInTrouble = false;
  while (!closing.aborted) {
    try {
      const lease = await ports.tasks.receive({ worker, waitMs, signal: closing, lane });
      if (isInTrouble) ports.log.info('the worker can work again', { worker });
      isInTrouble = false;
      if (lease) {
        await watch.during(() =>
          withLogFields({ job_id: lease.jobId }, () => handleLease(ports, lease, leave, isForSmall)),
        );
      }
    } catch (error) {
      // Said once, not each second for as long as the database is away.
      if (!isInTrouble) ports.log.error('the worker cannot work', { worker, error });
      isInTrouble = true;
      await sleep(troubleMs);
    }
  }
}
