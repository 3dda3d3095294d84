import { compose } from '@svc/adapters/compose.ts';
import { deliverAside } from '@svc/application/happenings/deliveries.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import type { Lane } from '@svc/application/ports/task-queue.ts';
import { missingPacks } from '@svc/application/rules/check-rule-packs.ts';
import { refreshRulePacks } from '@svc/application/rules/refresh-rule-packs.ts';
import { fieldsOf, handleTask, workPorts, type WorkPorts } from '@svc/application/work/handle-task.ts';
import { WorkerStopping } from '@svc/application/work/hold-lease.ts';
import { workerFacts } from '@svc/application/work/worker-facts.ts';
import { WorkerGate, type GatePace } from '@svc/application/work/worker-gate.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdleWatch } from './idle-watch.ts';
import { startSchedule } from './schedule.ts';

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

/** Places for the tasks of a lane beside those of analyses; what waits for hosts of others does little else. */
const upkeepPlaces = (lane: Lane): number => ({ outbound: 8, ai: 4 })[lane as string] ?? 2;

/**
 * Works through the queue: as many analyses at a time as the deployment says and, beside them, whatever else it has;
 * and queues the periodic tasks at their times.
 * @param idleExitSeconds - it ends after having had nothing to do for so long; null for never
 * @param pace - how often it looks at what it may begin, where that is not as usual
 */
export function startWorker(
  ports: WorkPorts & Pick<Ports, 'workers'> = compose(...workPorts, 'workers'),
  idleExitSeconds: number | null = null,
  pace: Partial<GatePace> = {},
): Worker {
  const leave = new AbortController();
  const closing = new AbortController();
  const watch = new IdleWatch(idleExitSeconds, () => closing.abort());
  const work = { ports, leave: leave.signal, closing: AbortSignal.any([leave.signal, closing.signal]), watch };
  // Every place waits for its task and for this.
  setMaxListeners(0, leave.signal, work.closing);
  const { keepsSchedule, upkeepLanes, workers } = ports.deployment;
  const deliveries = deliverAside(ports);
  const schedule = keepsSchedule ? startSchedule(ports) : null;
  const packs = watch.during(() => packsAreHere(work));
  const facts = workerFacts(ports);
  const nameOf = (place: string): string => `${facts.process}:${place}`;
  const gate = workers > 0 ? new WorkerGate(ports, facts, pace) : null;
  gate?.open();
  const slots = Array.from({ length: workers }, async (_, slot) => {
    await packs;
    // One place is for small tasks, which never wait for large ones then.
    const lanes = slot === 0 && workers > 1 ? (['fast'] as const) : (['fast', 'heavy'] as const);
    await drain(work, { worker: nameOf(String(slot)), lanes, givesWay: slot === 0, gate });
  });
  const beside = upkeepLanes.flatMap((lane) =>
    Array.from({ length: upkeepPlaces(lane) }, (_, place) =>
      drain(work, { worker: nameOf(`${lane}-${place}`), lanes: [lane], givesWay: false, gate: null }),
    ),
  );
  const finish = async (): Promise<void> => {
    await Promise.all([...slots, ...beside]);
    await gate?.close();
    await schedule?.stop();
    await deliveries.settled();
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
  readonly ports: WorkPorts;
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
async function packsAreHere({ ports, closing }: Work): Promise<void> {
  // Where the database is away, draining says so.
  const missing = await missingPacks(ports).catch(() => []);
  if (missing.length === 0 || closing.aborted) return;
  ports.log.info('jobs wait for rule packs that are not here yet', { packs: missing.join(', ') });
  const tried = refreshRulePacks(ports).catch((error: unknown) => ports.log.error('no rule packs', { error }));
  const over = sleep(packsMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
  await Promise.race([tried, over]);
}

/** Where one task is worked on at a time. */
interface Place {
  readonly worker: string;
  readonly lanes: readonly Lane[];
  readonly givesWay: boolean;
  /** Says whether a job may be begun; null where there are none. */
  readonly gate: WorkerGate | null;
}

/** Receives and handles one task after another until told to stop. */
async function drain(work: Work, { worker, lanes, givesWay, gate }: Place): Promise<void> {
  const { ports, leave, closing, watch } = work;
  const ended = gate?.count.bind(gate);
  let isInTrouble = false;
  while (!closing.aborted) {
    try {
      const isLook = (await gate?.wait(closing)) ?? false;
      const lease = await ports.tasks.receive({ worker, waitMs: isLook ? 0 : waitMs, signal: closing, lanes });
      if (isInTrouble) ports.log.info('the worker can work again', { worker });
      isInTrouble = false;
      if (lease && gate && !(await gate.admit(lease))) {
        await ports.tasks.release(lease, { delaySeconds: 0, countAttempt: false });
      } else if (lease) {
        const handle = () => handleTask(ports, lease, { leave, givesWay, ...(ended && { ended }) });
        await watch.during(() => withLogFields(fieldsOf(lease), handle)).finally(() => gate?.done(lease));
      }
    } catch (error) {
      // Said once, not each second for as long as the database is away.
      if (!isInTrouble) ports.log.error('the worker cannot work', { worker, error });
      isInTrouble = true;
      await sleep(troubleMs);
    }
  }
}
