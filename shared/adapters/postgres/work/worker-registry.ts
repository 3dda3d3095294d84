import type { HostStanding, WorkerLifetimes, WorkerRegistry } from '@svc/application/admin/workers/worker-registry.ts';
import type { LiveWorker, WorkerState } from '@svc/domain';
import { and, asc, eq, gt, lte, ne, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { workerPolicies, workers } from '../schema/index.ts';

const now = sql`statement_timestamp()`;

/** All times are the database's, so that hosts need not agree on theirs. */
export class PgWorkerRegistry implements WorkerRegistry {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async beat(state: WorkerState, lifetimes: WorkerLifetimes): Promise<void> {
    await write(this.#db, state, lifetimes);
    await this.#db.delete(workers).where(lte(workers.aliveUntil, now));
  }

  takeSlot(state: WorkerState, lifetimes: WorkerLifetimes): Promise<boolean> {
    const { hostname, process } = state.facts;
    return this.#db.transaction(async (tx) => {
      // Processes of a host take turns here, so that two do not take its last slot.
      const [policy] = await tx
        .select({ cap: workerPolicies.cap })
        .from(workerPolicies)
        .where(eq(workerPolicies.hostname, hostname))
        .for('update');
      if (policy && policy.cap > 0) {
        const isOther = and(eq(workers.hostname, hostname), ne(workers.process, process), gt(workers.slotsUntil, now));
        const [others] = await tx.select({ jobs: jobsOf() }).from(workers).where(isOther);
        if ((others?.jobs ?? 0) + state.jobs.length > policy.cap) return false;
      }
      await write(tx, state, lifetimes);
      return true;
    });
  }

  async leave(process: string): Promise<void> {
    await this.#db.delete(workers).where(eq(workers.process, process));
  }

  async standing(hostname: string): Promise<HostStanding> {
    const [row] = await rowsOf<{ cap: number; jobs: number; others: boolean }>(
      this.#db,
      sql`
        select
          coalesce((select cap from ${workerPolicies} where hostname = ${hostname}), 0)::int as cap,
          (select coalesce(sum(jsonb_array_length(jobs)), 0) from ${workers}
            where hostname = ${hostname} and slots_until > ${now})::int as jobs,
          exists(select from ${workers} where hostname <> ${hostname} and alive_until > ${now}) as others`,
    );
    return { cap: row?.cap ?? 0, jobs: row?.jobs ?? 0, hasOthers: row?.others ?? false };
  }

  async fleet(): Promise<{ workers: readonly LiveWorker[]; caps: ReadonlyMap<string, number> }> {
    const { facts, jobs, counts, lastSeen } = workers;
    const live = await this.#db
      .select({ facts, jobs, counts, lastSeen })
      .from(workers)
      .where(gt(workers.aliveUntil, now))
      .orderBy(asc(workers.hostname), asc(workers.process));
    const policies = await this.#db.select().from(workerPolicies).orderBy(asc(workerPolicies.hostname));
    return { workers: live, caps: new Map(policies.map(({ hostname, cap }) => [hostname, cap])) };
  }

  async setCap(hostname: string, cap: number): Promise<void> {
    if (cap === 0) {
      await this.#db.delete(workerPolicies).where(eq(workerPolicies.hostname, hostname));
      return;
    }
    await this.#db
      .insert(workerPolicies)
      .values({ hostname, cap })
      .onConflictDoUpdate({ target: workerPolicies.hostname, set: { cap } });
  }
}

async function write(db: Database, { facts, jobs, counts }: WorkerState, lifetimes: WorkerLifetimes): Promise<void> {
  const said = {
    hostname: facts.hostname,
    facts,
    jobs,
    counts,
    lastSeen: now,
    aliveUntil: inSeconds(lifetimes.alive),
    slotsUntil: inSeconds(lifetimes.slots),
  };
  await db
    .insert(workers)
    .values({ process: facts.process, ...said })
    .onConflictDoUpdate({ target: workers.process, set: said });
}

function jobsOf(): SQL<number> {
  return sql<number>`coalesce(sum(jsonb_array_length(${workers.jobs})), 0)::int`;
}

function inSeconds(seconds: number): SQL {
  return sql`statement_timestamp() + make_interval(secs => ${seconds})`;
}
