import type { NewFinding, StoredEvent } from '@svc/application/report/new-finding.ts';
import type {
  EventPack,
  EventPlace,
  MergedFinding,
  NewRawOutput,
  NewTask,
  ResultRepository,
  ResultTotals,
  TaskClosing,
  TaskOutcome,
} from '@svc/application/report/result-repository.ts';
import { taskIntelOf } from '@svc/application/intel/task-intel.ts';
import { heldWordsOf } from '@svc/application/report/held-words-of.ts';
import { AppError, ruleSignature, severityRank } from '@svc/domain';
import { and, asc, count, desc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { entitiesOf, lockAndNote } from '../intel/found-entities.ts';
import { totalsOf } from '../jobs/job-totals.ts';
import { packed } from '../packed-json.ts';
import { rowsOf } from '../rows-of.ts';
import {
  droppedObjects,
  eventPacks,
  findingEvents,
  findings,
  rawOutputs,
  taskDerivations,
  taskResults,
} from '../schema/index.ts';
import { sourceIds } from './rule-sources.ts';
import { toDerivationRow } from './task-derivation.ts';
import { fitting, storableJson, storableText } from '../text.ts';

/** Findings a statement: their sample events are the bulk of it. */
const batchSize = 100;

export class PgResultRepository implements ResultRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async addTasks(jobId: number, tasks: readonly NewTask[], at: Date): Promise<readonly number[]> {
    if (tasks.length === 0) return [];
    const values = tasks.map(({ engine, status, errorMessage, bytesTotal }, position) => ({
      jobId,
      position,
      engine,
      status,
      errorMessage,
      bytesTotal: status === 'skipped' ? null : bytesTotal,
      finishedAt: status === 'skipped' ? at : null,
    }));
    const rows = await insertRows(this.#db, taskResults, values).returning({ id: taskResults.id });
    return rows.map(({ id }) => id);
  }

  async closeTasks(jobId: number, { status, errorMessage, at }: TaskClosing): Promise<void> {
    await this.#db
      .update(taskResults)
      .set({ status, errorMessage, finishedAt: at })
      .where(and(eq(taskResults.jobId, jobId), inArray(taskResults.status, ['pending', 'running'])));
  }

  async keepMerged(jobId: number, merged: readonly MergedFinding[]): Promise<void> {
    const places = merged.flatMap(({ id, parts }) => parts.map(({ findingId }) => ({ id: findingId, lead: id })));
    const given = merged.map(({ id, count: matches, firstSeen, lastSeen, ...rest }) => ({
      id,
      matches,
      first: firstSeen,
      last: lastSeen,
      ...storableJson(rest),
    }));
    await this.#db.execute(sql`
      update ${findings} set merged_into = given.lead
      from json_to_recordset(${JSON.stringify(places)}::json) as given(id integer, lead integer)
      where ${findings.id} = given.id and given.id <> given.lead and ${findings.jobId} = ${jobId}`);
    await this.#db.execute(sql`
      update ${findings} set count = given.matches, first_seen = given.first, last_seen = given.last,
        hosts = given.hosts, tags = given.tags, parts = given.parts
      from json_to_recordset(${JSON.stringify(given)}::json)
        as given(id integer, matches bigint, first text, last text, hosts jsonb, tags jsonb, parts jsonb)
      where ${findings.id} = given.id and ${findings.jobId} = ${jobId}`);
  }

  totals(jobId: number): Promise<ResultTotals> {
    return totalsOf(this.#db, jobId);
  }

  async remove(jobId: number): Promise<readonly string[]> {
    // A worker that ends a task now has added its objects before this, or finds the task gone.
    await this.#db.select({ id: taskResults.id }).from(taskResults).where(eq(taskResults.jobId, jobId)).for('update');
    const key = { raw: rawOutputs.storageKey, pack: eventPacks.storageKey };
    const raw = await this.#db.delete(rawOutputs).where(eq(rawOutputs.jobId, jobId)).returning({ key: key.raw });
    const packs = await this.#db.delete(eventPacks).where(eq(eventPacks.jobId, jobId)).returning({ key: key.pack });
    const own = sql`array(select id from ${findings} where job_id = ${jobId})`;
    const named = await entitiesOf(this.#db, own);
    await this.#db.delete(taskResults).where(eq(taskResults.jobId, jobId));
    await lockAndNote(this.#db, named);
    return [...raw, ...packs].map((row) => row.key);
  }

  async startTask(taskId: number, at: Date): Promise<void> {
    await this.#db
      .update(taskResults)
      .set({ status: 'running', startedAt: at, bytesDone: 0 })
      .where(and(eq(taskResults.id, taskId), eq(taskResults.status, 'pending')));
  }

  async saveProgress(taskId: number, bytesDone: number): Promise<void> {
    await this.#db
      .update(taskResults)
      .set({ bytesDone })
      .where(and(eq(taskResults.id, taskId), eq(taskResults.status, 'running')));
  }

  async finishTask(taskId: number, outcome: TaskOutcome, at: Date): Promise<boolean> {
    // Before the transaction: two that add the same text would wait for each other's end.
    const sources = await sourceIds(
      this.#db,
      outcome.findings.map(({ ruleSource }) => ruleSource),
    );
    return this.#db.transaction(async (tx) => {
      const [task] = await tx
        .update(taskResults)
        .set({
          status: outcome.status,
          ...(outcome.engine !== undefined && { engine: outcome.engine }),
          findingsCount: outcome.findings.length,
          // Progress is saved now and then, and not at the end.
          ...(outcome.status === 'completed' && { bytesDone: sql`${taskResults.bytesTotal}` }),
          durationMs: outcome.durationMs,
          errorMessage: outcome.errorMessage === null ? null : storableText(outcome.errorMessage),
          logOutput: storableText(outcome.logOutput),
          events: outcome.events,
          warnings: storableJson(outcome.warnings),
          ruleSet: outcome.ruleSet,
          ruleCosts: outcome.ruleCosts ?? null,
          held: storableJson(heldWordsOf(outcome.findings, outcome.derived?.entities ?? null)),
          finishedAt: at,
        })
        .where(and(eq(taskResults.id, taskId), eq(taskResults.status, 'running')))
        .returning({ id: taskResults.id, jobId: taskResults.jobId, engine: taskResults.engine });
      if (!task) return false;
      const { findings: found, derived, eventPack } = outcome;
      const kept = found.map((finding, nth) => ({
        finding,
        ruleSourceId: sources[nth] ?? null,
        place: eventPack?.places[nth] ?? null,
      }));
      const ids: number[] = [];
      for (let start = 0; start < kept.length; start += batchSize) {
        ids.push(...(await insertFindings(tx, task, kept.slice(start, start + batchSize))));
      }
      if (eventPack !== null) await keepPack(tx, task, eventPack);
      if (derived !== null) {
        const row = await toDerivationRow(derived, { task, findings: found, ids });
        const intel = await packed(taskIntelOf(derived.intel, ids));
        await tx.insert(taskDerivations).values({ ...row, intel });
      }
      await keepOutputs(tx, task, outcome.rawOutputs, at);
      return true;
    });
  }

  async withEventsInRows(most: number): Promise<readonly number[]> {
    const newest = this.#db
      .select({ id: findingEvents.findingId })
      .from(findingEvents)
      .orderBy(desc(findingEvents.findingId))
      .limit(most);
    const tasks = await this.#db
      .selectDistinct({ id: findings.taskResultId })
      .from(findings)
      .where(inArray(findings.id, newest))
      .orderBy(desc(findings.taskResultId));
    return tasks.map(({ id }) => id);
  }

  async eventsInRows(taskId: number, { after, most }: { after: number; most: number }) {
    return this.#db
      .select({ findingId: findings.id, events: eventsInRow })
      .from(findings)
      .innerJoin(findingEvents, eq(findingEvents.findingId, findings.id))
      .where(and(eq(findings.taskResultId, taskId), gt(findings.id, after)))
      .orderBy(asc(findings.id))
      .limit(most);
  }

  async moveEvents(taskId: number, pack: EventPack): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // Whoever removes the task waits for this, and then finds the pack, or this finds no task.
      const [task] = await tx
        .select({ id: taskResults.id, jobId: taskResults.jobId })
        .from(taskResults)
        .where(eq(taskResults.id, taskId))
        .for('update');
      const [known] = await tx.select().from(eventPacks).where(eq(eventPacks.taskResultId, taskId));
      if (task === undefined || known !== undefined) return false;
      const moved = await rowsOf<{ id: number }>(
        tx,
        sql`delete from ${findingEvents} using ${findings}
            where ${findings.id} = ${findingEvents.findingId} and ${findings.taskResultId} = ${taskId}
            returning ${findings.id}`,
      );
      const ids = moved.map(({ id }) => id).toSorted((a, b) => a - b);
      const places = ids.map((id, nth) => ({ id, ...pack.places[nth] }));
      await tx.execute(sql`
        update ${findings} set events_at = place.at, events_bytes = place.bytes
        from json_to_recordset(${JSON.stringify(places)}::json) as place(id integer, at bigint, bytes integer)
        where ${findings.id} = place.id`);
      await keepPack(tx, task, pack);
      return true;
    });
  }

  async moveRuleSources(most: number): Promise<number> {
    const rows = await this.#db
      .select({ id: findings.id, source: findings.ruleSource })
      .from(findings)
      .where(isNotNull(findings.ruleSource))
      .orderBy(desc(findings.id))
      .limit(most);
    const sources = await sourceIds(
      this.#db,
      rows.map(({ source }) => source),
    );
    const moved = JSON.stringify(rows.map(({ id }, nth) => ({ id, source: sources[nth] })));
    await this.#db.execute(sql`
      update ${findings} set rule_source_id = moved.source, rule_source = null
      from json_to_recordset(${moved}::json) as moved(id integer, source integer)
      where ${findings.id} = moved.id and ${findings.ruleSource} is not null`);
    return rows.length;
  }

  async leftToMove(): Promise<number> {
    const [[events], [sources]] = await Promise.all([
      this.#db.select({ left: count() }).from(findingEvents),
      this.#db.select({ left: count() }).from(findings).where(isNotNull(findings.ruleSource)),
    ]);
    return Math.max(events?.left ?? 0, sources?.left ?? 0);
  }
}

/** Those of before kept the order of `jsonb`. */
const eventsInRow = sql<readonly StoredEvent[]>`coalesce(${findingEvents.inOrder}, ${findingEvents.events}::json)`;

async function keepOutputs(
  tx: Database,
  task: { id: number; jobId: number },
  outputs: readonly NewRawOutput[],
  at: Date,
): Promise<void> {
  if (outputs.length === 0) return;
  const rows = outputs.map((output) => ({ ...output, taskResultId: task.id, jobId: task.jobId, createdAt: at }));
  await insertRows(tx, rawOutputs, rows);
}

/** Names the pack, whose key a sweep would have taken for that of a killed process otherwise. */
async function keepPack(
  tx: Database,
  task: { id: number; jobId: number },
  { storageKey, sizeBytes }: Pick<EventPack, 'storageKey' | 'sizeBytes'>,
): Promise<void> {
  const noted = await tx
    .delete(droppedObjects)
    .where(eq(droppedObjects.key, storageKey))
    .returning({ key: droppedObjects.key });
  if (noted.length === 0) throw new AppError('unavailable', 'The sample events are not in the store any more');
  await tx.insert(eventPacks).values({ taskResultId: task.id, jobId: task.jobId, storageKey, sizeBytes });
}

/** A finding, and what of it is stored elsewhere. */
interface KeptFinding {
  readonly finding: NewFinding;
  readonly ruleSourceId: number | null;
  /** Null where it has no events, or the database keeps them. */
  readonly place: EventPlace | null;
}

async function insertFindings(
  tx: Database,
  task: { id: number; jobId: number },
  batch: readonly KeptFinding[],
): Promise<number[]> {
  const wanted = batch.map((kept) => toRow(kept, task));
  const rows = await insertRows(tx, findings, wanted).returning({ id: findings.id });
  const withEvents = batch.flatMap(({ finding: { events }, place }, index) => {
    const findingId = rows[index]?.id;
    if (findingId === undefined || place !== null || events.length === 0) return [];
    return [{ findingId, inOrder: storableJson(events) }];
  });
  if (withEvents.length > 0) await insertRows(tx, findingEvents, withEvents);
  return rows.map(({ id }) => id);
}

function toRow(
  { finding, ruleSourceId, place }: KeptFinding,
  task: { id: number; jobId: number },
): typeof findings.$inferInsert {
  const ruleId = finding.ruleId === null ? null : fitting(finding.ruleId, 100);
  const ruleName = fitting(finding.ruleName, 500);
  return {
    taskResultId: task.id,
    jobId: task.jobId,
    ruleId,
    ruleName,
    ruleAuthor: finding.ruleAuthor === null ? null : storableText(finding.ruleAuthor),
    severity: finding.severity,
    severityRank: severityRank(finding.severity),
    count: finding.count,
    tags: storableJson(finding.tags),
    firstSeen: finding.firstSeen,
    lastSeen: finding.lastSeen,
    hosts: finding.hosts === null ? null : storableJson(finding.hosts),
    eventsKept: finding.events.length,
    ruleSignature: ruleSignature({ ruleId, ruleName, severity: finding.severity }),
    eventsAt: place?.at ?? null,
    eventsBytes: place?.bytes ?? null,
    ruleSourceId,
  };
}
