import type {
  AlertIndex,
  DerivationRepository,
  DerivedAnew,
  JobAnalytics,
  JobProcess,
  JobProcesses,
  KeptCensus,
} from '@svc/application/report/derivation-repository.ts';
import { heldWordsOf } from '@svc/application/report/held-words-of.ts';
import type { Actor } from '@svc/domain';
import type { LoggedKind } from '@svc/engine';
import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { unpacked } from '../packed-json.ts';
import { findings as storedFindings, jobs, taskDerivations, taskResults } from '../schema/index.ts';
import { storableJson } from '../text.ts';
import { visibleTo } from '../visible.ts';
import { toDerivationRow } from './task-derivation.ts';

const withoutWords = and(isNull(taskResults.held), eq(taskResults.status, 'completed'));

/** Of several tasks that derived something the first one's is shown. */
export class PgDerivationRepository implements DerivationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async analytics(jobId: number): Promise<JobAnalytics | null> {
    const [row] = await this.#db
      .select({ analytics: taskDerivations.analytics })
      .from(taskDerivations)
      .where(eq(taskDerivations.jobId, jobId))
      .orderBy(asc(taskDerivations.taskResultId))
      .limit(1);
    return row?.analytics ?? null;
  }

  async census(jobId: number): Promise<KeptCensus | null> {
    const [row] = await this.#db
      .select({ census: taskDerivations.census })
      .from(taskDerivations)
      .where(eq(taskDerivations.jobId, jobId))
      .orderBy(asc(taskDerivations.taskResultId))
      .limit(1);
    return row?.census ?? null;
  }

  async kindsSeenBy(viewer: Actor, mostJobs: number): Promise<{ jobs: number; kinds: readonly LoggedKind[] }> {
    const newest = this.#db
      .select({ jobId: taskDerivations.jobId, kinds: sql`${taskDerivations.census}->'kinds'`.as('kinds') })
      .from(taskDerivations)
      .innerJoin(jobs, eq(jobs.id, taskDerivations.jobId))
      .where(and(isNotNull(taskDerivations.census), visibleTo(viewer)))
      .orderBy(desc(taskDerivations.jobId))
      .limit(mostJobs)
      .as('newest');
    const each = sql`jsonb_to_recordset(${newest.kinds}) as kind(source text, channel text, provider text, event text)`;
    const kinds = await this.#db
      .selectDistinct({
        source: sql<string | null>`kind.source`,
        channel: sql<string | null>`kind.channel`,
        provider: sql<string | null>`kind.provider`,
        event: sql<string | null>`kind.event`,
      })
      .from(newest)
      .crossJoinLateral(each);
    const [counted] = await this.#db.select({ jobs: sql<number>`count(distinct ${newest.jobId})::int` }).from(newest);
    return { jobs: counted?.jobs ?? 0, kinds };
  }

  async keepCensus(taskId: number, census: KeptCensus): Promise<void> {
    await this.#db
      .update(taskDerivations)
      .set({ census: storableJson(census) })
      .where(and(eq(taskDerivations.taskResultId, taskId), isNull(taskDerivations.census)));
  }

  async alerts(jobId: number): Promise<AlertIndex | null> {
    const stored = await this.#packed(jobId, 'alerts');
    // What cannot be read counts as missing (resolved-platform 8.4).
    const index = stored && (await unpacked<AlertIndex>(stored.packed).catch(() => null));
    if (index?.v !== 1) return null;
    return stored?.leads ? withLeads(index, stored.leads) : index;
  }

  async processes(jobId: number): Promise<JobProcesses | null> {
    const stored = await this.#packed(jobId, 'processes');
    const processes = stored && (await unpacked<JobProcesses>(stored.packed));
    return stored?.leads && processes ? { ...processes, roots: leadingTo(processes.roots, stored.leads) } : processes;
  }

  async replace(
    task: { readonly id: number; readonly jobId: number },
    { derived, engine, findings }: DerivedAnew,
  ): Promise<boolean> {
    const ids = findings.map(({ id }) => id);
    const row = await toDerivationRow(derived, { task: { ...task, engine }, findings, ids });
    return this.#db.transaction(async (tx) => {
      const replaced = await tx
        .update(taskDerivations)
        .set({ analytics: row.analytics, alerts: row.alerts, processes: row.processes })
        .where(eq(taskDerivations.taskResultId, task.id))
        .returning({ id: taskDerivations.taskResultId });
      if (replaced.length === 0) return false;
      const held = storableJson(heldWordsOf(findings, derived.entities));
      await tx.update(taskResults).set({ held }).where(eq(taskResults.id, task.id));
      return true;
    });
  }

  async makeWords(most: number): Promise<number> {
    const tasks = await this.#db
      .select({ id: taskResults.id, analytics: taskDerivations.analytics })
      .from(taskResults)
      .leftJoin(taskDerivations, eq(taskDerivations.taskResultId, taskResults.id))
      .where(withoutWords)
      .orderBy(desc(taskResults.id))
      .limit(most);
    for (const { id, analytics } of tasks) {
      const { ruleId, ruleName, tags } = storedFindings;
      const found = await this.#db
        .select({ ruleId, ruleName, tags })
        .from(storedFindings)
        .where(eq(storedFindings.taskResultId, id));
      const held = storableJson(heldWordsOf(found, analytics?.entities ?? null));
      await this.#db
        .update(taskResults)
        .set({ held })
        .where(and(eq(taskResults.id, id), withoutWords));
    }
    return tasks.length;
  }

  async #packed(jobId: number, column: 'alerts' | 'processes'): Promise<Packed | null> {
    const [row] = await this.#db
      .select({
        packed: taskDerivations[column],
        leads: sql<Leads | null>`(
          select json_object_agg(id, merged_into) from ${storedFindings}
          where task_result_id = ${taskDerivations}.task_result_id and merged_into is not null)`,
      })
      .from(taskDerivations)
      .where(eq(taskDerivations.jobId, jobId))
      .orderBy(asc(taskDerivations.taskResultId))
      .limit(1);
    return row?.packed ? { packed: row.packed, leads: row.leads } : null;
  }
}

/** Of findings of the task those of other engines that stand for them. */
type Leads = Readonly<Record<number, number>>;

interface Packed {
  readonly packed: Uint8Array;
  readonly leads: Leads | null;
}

function withLeads(index: AlertIndex, leads: Leads): AlertIndex {
  return {
    ...index,
    keys: index.keys.map(([id, name, severity, tactic, computer, tool, finding]) => {
      return [id, name, severity, tactic, computer, tool, leads[finding] ?? finding];
    }),
  };
}

function leadingTo(nodes: readonly JobProcess[], leads: Leads): readonly JobProcess[] {
  return nodes.map(({ findings, children, ...node }) => ({
    ...node,
    ...(findings && { findings: [...new Set(findings.map((id) => leads[id] ?? id))].sort((a, b) => a - b) }),
    children: leadingTo(children, leads),
  }));
}
