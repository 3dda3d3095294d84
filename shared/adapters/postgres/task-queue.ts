import type { TaskLedger } from '@svc/application/ports/task-ledger.ts';
import type { Lane, Lease, ReceiveOptions, ReleaseOptions, TaskQueue } from '@svc/application/ports/task-queue.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, sql, type SQL } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { isAtWork } from '../local/worker-process.ts';
import type { Database } from './database.ts';
import { queuedTasks } from './schema/index.ts';

/** How often a waiting worker looks for tasks of other processes and for lapsed leases. */
const pollMs = 1000;

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
 * A queue in a table. Tasks are handed out by their turns. Each submitter's tasks have one turn after another, from the
 * current one on, so that in each turn a submitter has one task, however many others have queued.
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

  /** @param bell - null where all workers are in this process */
  constructor(db: Database, leaseSeconds: number, bell: TaskBell | null = null) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds;
    this.#bell = bell;
  }

  async enqueue(jobId: number, lane: Lane, submitter = ''): Promise<Lane | null> {
    const now = sql`statement_timestamp()`;
    const added = await this.#db
      .insert(queuedTasks)
      .values({ jobId, enqueuedAt: now, dueAt: now, lane, submitter, turn: this.#nextTurn(lane, sql`${submitter}`) })
      .onConflictDoNothing()
      .returning({ jobId: queuedTasks.jobId });
    if (added.length === 0) return null;
    await this.#announce();
    return lane;
  }

  async receive({ worker, waitMs, signal, lane }: ReceiveOptions): Promise<Lease | null> {
    const deadline = performance.now() + waitMs;
    this.#listen();
    for (;;) {
      const seen = this.#wakes;
      const lease = await this.#take(worker, lane);
      const left = deadline - performance.now();
      if (lease || left <= 0 || signal?.aborted) return lease;
      // What was added while it looked is not slept over.
      if (seen === this.#wakes) await this.#sleep(Math.min(pollMs, left), signal);
    }
  }

  async extend({ jobId, token }: Lease): Promise<boolean> {
    const held = await this.#db
      .update(queuedTasks)
      .set({ dueAt: inSeconds(this.#leaseSeconds) })
      .where(heldBy(jobId, token))
      .returning({ jobId: queuedTasks.jobId });
    return held.length > 0;
  }

  async acknowledge({ jobId, token }: Lease): Promise<void> {
    await this.#db.delete(queuedTasks).where(heldBy(jobId, token));
  }

  async isWaitedFor({ jobId, token }: Lease): Promise<boolean> {
    const own = this.#db
      .select({ submitter: queuedTasks.submitter })
      .from(queuedTasks)
      .where(and(heldBy(jobId, token), eq(queuedTasks.lane, 'fast')))
      .as('own');
    const head = this.#db
      .select({ submitter: queuedTasks.submitter })
      .from(queuedTasks)
      .where(and(eq(queuedTasks.lane, 'fast'), isNull(queuedTasks.lease), isDue))
      .orderBy(...inTurn)
      .limit(headTasks)
      .as('head');
    const others = await this.#db.select().from(own).innerJoin(head, ne(head.submitter, own.submitter)).limit(1);
    return others.length > 0;
  }

  async release({ jobId, token }: Lease, { delaySeconds, countAttempt, lane }: ReleaseOptions): Promise<void> {
    const attempts = countAttempt ? sql`${queuedTasks.attempts}` : sql`${queuedTasks.attempts} - 1`;
    await this.#db
      .update(queuedTasks)
      .set({
        lease: null,
        worker: null,
        dueAt: inSeconds(delaySeconds),
        attempts,
        ...(lane && { lane, turn: this.#nextTurn(lane, sql`queued_tasks.submitter`) }),
      })
      .where(heldBy(jobId, token));
    await this.#announce();
  }

  async state(jobId: number): Promise<{ attempts: number; held: boolean } | null> {
    const [row] = await this.#db
      .select({
        attempts: queuedTasks.attempts,
        held: sql<boolean>`${queuedTasks.lease} is not null and ${queuedTasks.dueAt} > statement_timestamp()`,
      })
      .from(queuedTasks)
      .where(eq(queuedTasks.jobId, jobId));
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

  async remove(jobId: number): Promise<void> {
    await this.#db.delete(queuedTasks).where(eq(queuedTasks.jobId, jobId));
  }

  /** The job itself says why; nobody looks for it here. */
  bury(jobId: number): Promise<void> {
    return this.remove(jobId);
  }

  depth(): Promise<number> {
    return this.#db.$count(queuedTasks);
  }

  /**
   * The turn after the submitter's last one in the lane, or after the turn that is worked on now. A large task's turn
   * is some turns later, so that small tasks pass it, but only those that come until these turns have gone by.
   */
  #nextTurn(lane: Lane, submitter: SQL): SQL {
    const table = sql`${queuedTasks} q`;
    const own = sql`(select max(q.turn) from ${table} where q.submitter = ${submitter} and q.lane = ${lane})`;
    const held = sql`(select max(q.turn) from ${table} where q.lease is not null)`;
    const first = sql`(select min(q.turn) - ${heavyTurns}::int from ${table})`;
    const step = lane === 'heavy' ? heavyTurns : 1;
    return sql`greatest(coalesce(${held}, ${first}), ${own}, 0) + ${step}::int`;
  }

  /** Takes the task whose turn it is; one whose lease has lapsed is due again. */
  async #take(worker: string, lane: Lane | undefined): Promise<Lease | null> {
    const token = randomBytes(16).toString('hex');
    const next = this.#db
      .select({ jobId: queuedTasks.jobId })
      .from(queuedTasks)
      .where(and(isDue, lane && eq(queuedTasks.lane, lane)))
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
      .where(eq(queuedTasks.jobId, sql`(${next})`))
      .returning({ jobId: queuedTasks.jobId, attempts: queuedTasks.attempts });
    return row ? { jobId: row.jobId, attempt: row.attempts, token } : null;
  }

  async #announce(): Promise<void> {
    this.#wake();
    // The task is queued, heard of or not.
    await this.#bell?.ring().catch(() => undefined);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#bell?.listen(() => this.#wake());
  }

  #wake(): void {
    this.#wakes += 1;
    this.#waiting.emit('wake');
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
}

/** Of several that have the same turn, small tasks come first. */
const inTurn = [asc(queuedTasks.turn), asc(queuedTasks.lane), asc(queuedTasks.enqueuedAt)];
const isDue = lte(queuedTasks.dueAt, sql`statement_timestamp()`);

function heldBy(jobId: number, token: string): SQL | undefined {
  return and(eq(queuedTasks.jobId, jobId), eq(queuedTasks.lease, token));
}

function inSeconds(seconds: number): SQL {
  return sql`statement_timestamp() + make_interval(secs => ${seconds})`;
}
