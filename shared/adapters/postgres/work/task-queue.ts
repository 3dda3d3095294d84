import { analysisOf, keyOf, policyOf, readTask, type Task, type UnknownTask } from '@svc/contracts/tasks.ts';
import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type {
  EnqueueOptions,
  Lane,
  Lease,
  ReceiveOptions,
  ReleaseOptions,
  TaskQueue,
} from '@svc/application/ports/task-queue.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, sql, type SQL } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { isAtWork } from '../../machine/worker-process.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { queuedTasks } from '../schema/index.ts';

/** How often a process with waiting workers looks for tasks of other processes and for lapsed leases. */
const lookMs = 5000;
/** Word of another process may be of a task whose time is yet to come: soon after, this one looks when that is. */
const heardMs = 200;
/** Tasks whose time has come get a place in the order so often while there is always another one to be done. */
const promoteMs = 1000;
/** So many at a time. */
const promotedAtOnce = 1000;

/** Carries word of new tasks between processes; losing some is well, since workers also look by themselves. */
export interface TaskBell {
  ring(): Promise<void>;
  /** Calls back whenever somebody has rung, this process too. */
  listen(wake: () => void): void;
}

/** Turns of small tasks that a large one lets pass before its own. */
const heavyTurns = 8;
/** More tasks at the head of the queue than one submitter can have there while another waits. */
const headTasks = 50;

/**
 * A queue in a table. Tasks are handed out by their turns, those of either analysis lane together, and those of each
 * other lane for themselves. Each submitter's tasks have one turn after another, from the current one on, so that in
 * each turn a submitter has one task, however many others have queued. A task whose time is yet to come has no turn.
 * All times are the database's, so that hosts need not agree on theirs.
 */
export class PgTaskQueue implements TaskQueue, TaskLedger {
  readonly #db: Database;
  readonly #leaseSeconds: number;
  readonly #bell: TaskBell | null;
  #isListening = false;
  /** Sleeping workers of this process. */
  readonly #waiting = new EventEmitter().setMaxListeners(0);
  #wakes = 0;
  /** The next look for all of them, and when that is. */
  #look: NodeJS.Timeout | null = null;
  #lookAt = 0;
  #promotedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param leaseSeconds - of tasks whose kind says nothing else
   * @param bell - null where all workers are in this process
   */
  constructor(db: Database, leaseSeconds: number, bell: TaskBell | null = null) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds;
    this.#bell = bell;
  }

  async enqueue(
    task: Task,
    {
      lane = policyOf(task)?.lane ?? 'prompt',
      key = keyOf(task),
      submitter = '',
      delaySeconds = 0,
    }: EnqueueOptions = {},
  ): Promise<Lane | null> {
    const isAnalysis = task.kind === 'run_analysis';
    const added = await this.#db
      .insert(queuedTasks)
      .values({
        key,
        task: isAnalysis ? null : task,
        jobId: isAnalysis ? task.jobId : null,
        enqueuedAt: sql`statement_timestamp()`,
        dueAt: inSeconds(delaySeconds),
        lane,
        submitter,
        turn: delaySeconds > 0 ? null : nextTurn(lane, sql`${submitter}`),
      })
      .onConflictDoNothing()
      .returning({ key: queuedTasks.key });
    if (added.length === 0) return null;
    await this.#announce(delaySeconds);
    return lane;
  }

  async receive({ worker, waitMs, signal, lanes }: ReceiveOptions): Promise<Lease | null> {
    const deadline = performance.now() + waitMs;
    this.#listen();
    for (;;) {
      const seen = this.#wakes;
      if (performance.now() - this.#promotedAt > promoteMs) await this.#promote();
      let lease = await this.#take(worker, lanes);
      if (!lease && (await this.#promote()) > 0) lease = await this.#take(worker, lanes);
      const left = deadline - performance.now();
      if (lease || left <= 0 || signal?.aborted) return lease;
      // What was added while it looked is not slept over.
      if (seen === this.#wakes) await this.#sleep(left, signal);
    }
  }

  async extend({ key, token, task }: Lease): Promise<boolean> {
    const held = await this.#db
      .update(queuedTasks)
      .set({ dueAt: inSeconds(this.#leaseOf(task)) })
      .where(heldBy(key, token))
      .returning({ key: queuedTasks.key });
    return held.length > 0;
  }

  async acknowledge({ key, token }: Lease): Promise<void> {
    await this.#db.delete(queuedTasks).where(heldBy(key, token));
  }

  async isWaitedFor({ key, token }: Lease): Promise<boolean> {
    const own = this.#db
      .select({ submitter: queuedTasks.submitter })
      .from(queuedTasks)
      .where(and(heldBy(key, token), eq(queuedTasks.lane, 'fast')))
      .as('own');
    const head = this.#db
      .select({ submitter: queuedTasks.submitter })
      .from(queuedTasks)
      .where(and(eq(queuedTasks.lane, 'fast'), isNull(queuedTasks.lease), isNotNull(queuedTasks.turn), isDue))
      .orderBy(...inTurn)
      .limit(headTasks)
      .as('head');
    const others = await this.#db.select().from(own).innerJoin(head, ne(head.submitter, own.submitter)).limit(1);
    return others.length > 0;
  }

  async release({ key, token }: Lease, { delaySeconds, countAttempt, lane }: ReleaseOptions): Promise<void> {
    const attempts = countAttempt ? sql`${queuedTasks.attempts}` : sql`${queuedTasks.attempts} - 1`;
    const turn = delaySeconds > 0 ? null : lane && nextTurn(lane, sql`queued_tasks.submitter`);
    await this.#db
      .update(queuedTasks)
      .set({
        lease: null,
        worker: null,
        dueAt: inSeconds(delaySeconds),
        attempts,
        ...(lane && { lane }),
        ...(turn !== undefined && { turn }),
      })
      .where(heldBy(key, token));
    await this.#announce(delaySeconds);
  }

  async state(key: string): Promise<{ attempts: number; held: boolean } | null> {
    const [row] = await this.#db
      .select({
        attempts: queuedTasks.attempts,
        held: sql<boolean>`${queuedTasks.lease} is not null and ${queuedTasks.dueAt} > statement_timestamp()`,
      })
      .from(queuedTasks)
      .where(eq(queuedTasks.key, key));
    return row ?? null;
  }

  async dropLeases(): Promise<void> {
    const held = await this.#db
      .selectDistinct({ worker: queuedTasks.worker })
      .from(queuedTasks)
      .where(isNotNull(queuedTasks.lease));
    const gone = held.map(({ worker }) => worker ?? '').filter((worker) => !isAtWork(worker));
    await this.#db
      .update(queuedTasks)
      .set({ lease: null, worker: null, dueAt: inSeconds(0) })
      .where(and(isNotNull(queuedTasks.lease), inArray(sql`coalesce(${queuedTasks.worker}, '')`, gone)));
    this.#wake();
  }

  async remove(key: string): Promise<void> {
    await this.#db.delete(queuedTasks).where(eq(queuedTasks.key, key));
  }

  /** What the task was for says why; nobody looks for it here. */
  bury(key: string): Promise<void> {
    return this.remove(key);
  }

  depth(): Promise<number> {
    return this.#db.$count(queuedTasks, inArray(queuedTasks.lane, [...analysisLanes]));
  }

  /** Takes the task whose turn it is; one whose lease has lapsed is due again. */
  async #take(worker: string, lanes: readonly Lane[] | undefined): Promise<Lease | null> {
    const token = randomBytes(16).toString('hex');
    const next = this.#db
      .select({ key: queuedTasks.key })
      .from(queuedTasks)
      .where(and(isDue, isNotNull(queuedTasks.turn), lanes && within(queuedTasks.lane, lanes)))
      .orderBy(...inTurn)
      .limit(1)
      .for('update', { skipLocked: true });
    const [row] = await this.#db
      .update(queuedTasks)
      .set({
        lease: token,
        worker,
        dueAt: inSeconds(this.#leaseSeconds),
        attempts: sql`${queuedTasks.attempts} + 1`,
      })
      .where(eq(queuedTasks.key, sql`(${next})`))
      .returning({
        key: queuedTasks.key,
        task: queuedTasks.task,
        jobId: queuedTasks.jobId,
        attempts: queuedTasks.attempts,
      });
    if (!row) return null;
    const task = row.jobId === null ? readTask(row.task) : analysisOf(row.jobId);
    const lease = { task, key: row.key, attempt: row.attempts, token };
    // Until the kind is known the lease is a usual one.
    if (this.#leaseOf(task) !== this.#leaseSeconds) await this.extend(lease);
    return lease;
  }

  /** Gives tasks whose time has come their places in the order; how many. */
  async #promote(): Promise<number> {
    this.#promotedAt = performance.now();
    const due = this.#db
      .select({ key: queuedTasks.key })
      .from(queuedTasks)
      .where(and(isNull(queuedTasks.turn), isDue))
      .orderBy(asc(queuedTasks.dueAt))
      .limit(promotedAtOnce)
      .for('update', { skipLocked: true });
    const promoted = await this.#db
      .update(queuedTasks)
      .set({ turn: nextTurn(null, sql`queued_tasks.submitter`) })
      .where(sql`${queuedTasks.key} = any(array(${due}))`)
      .returning({ key: queuedTasks.key });
    return promoted.length;
  }

  #leaseOf(task: Task | UnknownTask): number {
    return policyOf(task)?.leaseSeconds ?? this.#leaseSeconds;
  }

  async #announce(delaySeconds: number): Promise<void> {
    if (delaySeconds > 0) this.#lookWithin(delaySeconds * 1000);
    else this.#wake();
    // The task is queued, heard of or not.
    await this.#bell?.ring().catch(() => undefined);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#bell?.listen(() => {
      this.#wake();
      this.#lookWithin(heardMs);
    });
  }

  #wake(): void {
    this.#wakes += 1;
    this.#waiting.emit('wake');
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    this.#lookWithin(lookMs);
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.off('wake', done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.on('wake', done);
      signal?.addEventListener('abort', done);
    });
  }

  /** Has one look, for all who sleep, at the latest then. */
  #lookWithin(ms: number): void {
    const at = performance.now() + ms;
    if (this.#look !== null && this.#lookAt <= at) return;
    if (this.#look !== null) clearTimeout(this.#look);
    this.#lookAt = at;
    this.#look = setTimeout(() => void this.#lookNow(), ms).unref();
  }

  async #lookNow(): Promise<void> {
    this.#look = null;
    if (this.#waiting.listenerCount('wake') === 0) return;
    // Who sleeps wakes by itself in the end, and says that the database is away.
    const next = await this.#untilNext().catch(() => lookMs);
    if (next <= 0) this.#wake();
    this.#lookWithin(next <= 0 ? lookMs : Math.min(next, lookMs));
  }

  /** Milliseconds until a task is due: one that waits, whose time comes, or whose lease may lapse. */
  async #untilNext(): Promise<number> {
    const [row] = await rowsOf<{ ms: unknown }>(
      this.#db,
      sql`
        select case
          when exists(
            select from ${queuedTasks}
            where ${queuedTasks.turn} is not null and ${queuedTasks.lease} is null and ${isDue}
          ) then 0
          else extract(epoch from least(
            (select min(due_at) from ${queuedTasks} where turn is null),
            (select min(due_at) from ${queuedTasks} where lease is not null)
          ) - statement_timestamp()) * 1000
        end as ms`,
    );
    return row?.ms === null || row === undefined ? lookMs : Math.ceil(Number(row.ms));
  }
}

/** Whose tasks take turns with each other. */
const analysisLanes = ['fast', 'heavy'] as const satisfies readonly Lane[];

/**
 * The turn after the submitter's last one in the lane, or after the turn that is worked on now. A large task's turn
 * is some turns later, so that small tasks pass it, but only those that come until these turns have gone by.
 * @param lane - null for that of each row of `queued_tasks`
 */
function nextTurn(lane: Lane | null, submitter: SQL): SQL {
  const table = sql`${queuedTasks} q`;
  const its = lane === null ? sql`queued_tasks.lane` : sql`${lane}`;
  const analyses = sql`q.lane not in ('prompt', 'sweep', 'outbound', 'ai')`;
  const beside =
    lane === null
      ? sql`case when queued_tasks.lane not in ('prompt', 'sweep', 'outbound', 'ai') then ${analyses} else q.lane = queued_tasks.lane end`
      : lane === 'fast' || lane === 'heavy'
        ? analyses
        : sql`q.lane = ${lane}`;
  const own = sql`(select max(q.turn) from ${table} where q.submitter = ${submitter} and q.lane = ${its})`;
  const heldIn = (those: SQL): SQL => sql`(select max(q.turn) from ${table} where q.lease is not null and ${those})`;
  // One lane at a time, as the index has them.
  const held =
    lane === 'fast' || lane === 'heavy'
      ? sql`greatest(${heldIn(sql`q.lane = 'fast'`)}, ${heldIn(sql`q.lane = 'heavy'`)})`
      : heldIn(beside);
  const first = sql`(select min(q.turn) - ${heavyTurns}::int from ${table} where ${beside})`;
  const step =
    lane === null
      ? sql`case when ${its} = 'heavy' then ${heavyTurns}::int else 1 end`
      : sql`${lane === 'heavy' ? heavyTurns : 1}::int`;
  return sql`greatest(coalesce(${held}, ${first}), ${own}, 0) + ${step}`;
}

/** Of analyses by the words of their index, which say that most tasks are some. */
function within(column: typeof queuedTasks.lane, lanes: readonly Lane[]): SQL {
  if (lanes.length === 1) return eq(column, lanes[0]!);
  const isOfAnalyses = lanes.length === 2 && lanes.every((lane) => lane === 'fast' || lane === 'heavy');
  return isOfAnalyses ? sql`${column} not in ('prompt', 'sweep', 'outbound', 'ai')` : inArray(column, [...lanes]);
}

/** Of several that have the same turn, small tasks come first. */
const inTurn = [asc(queuedTasks.turn), asc(queuedTasks.lane), asc(queuedTasks.enqueuedAt)];
const isDue = lte(queuedTasks.dueAt, sql`statement_timestamp()`);

function heldBy(key: string, token: string): SQL | undefined {
  return and(eq(queuedTasks.key, key), eq(queuedTasks.lease, token));
}

function inSeconds(seconds: number): SQL {
  return sql`statement_timestamp() + make_interval(secs => ${seconds})`;
}
