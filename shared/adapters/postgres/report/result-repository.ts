import type { NewFinding } from '@svc/application/report/new-finding.ts';
import type {
  NewRawOutput,
  NewTask,
  ResultRepository,
  ResultTotals,
  TaskClosing,
  TaskOutcome,
} from '@svc/application/report/result-repository.ts';
import { heldWordsOf } from '@svc/application/report/held-words-of.ts';
import { ruleSignature, severityRank } from '@svc/domain';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { totalsOf } from '../jobs/job-totals.ts';
import { findingEvents, findings, rawOutputs, taskDerivations, taskResults } from '../schema/index.ts';
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

  totals(jobId: number): Promise<ResultTotals> {
    return totalsOf(this.#db, jobId);
  }

  async remove(jobId: number): Promise<void> {
    await this.#db.delete(taskResults).where(eq(taskResults.jobId, jobId));
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
    return this.#db.transaction(async (tx) => {
      const [task] = await tx
        .update(taskResults)
        .set({
          status: outcome.status,
          findingsCount: outcome.findings.length,
          // Progress is saved now and then, and not at the end.
          ...(outcome.status === 'completed' && { bytesDone: sql`${taskResults.bytesTotal}` }),
          durationMs: outcome.durationMs,
          errorMessage: outcome.errorMessage === null ? null : storableText(outcome.errorMessage),
          logOutput: storableText(outcome.logOutput),
          events: outcome.events,
          warnings: storableJson(outcome.warnings),
          ruleSet: outcome.ruleSet,
          held: storableJson(heldWordsOf(outcome.findings, outcome.derived?.entities ?? null)),
          finishedAt: at,
        })
        .where(and(eq(taskResults.id, taskId), eq(taskResults.status, 'running')))
        .returning({ id: taskResults.id, jobId: taskResults.jobId, engine: taskResults.engine });
      if (!task) return false;
      const { findings: found, derived } = outcome;
      const ids: number[] = [];
      for (let start = 0; start < found.length; start += batchSize) {
        ids.push(...(await insertFindings(tx, task, found.slice(start, start + batchSize))));
      }
      if (derived !== null) {
        await tx.insert(taskDerivations).values(await toDerivationRow(derived, { task, findings: found, ids }));
      }
      await keepOutputs(tx, task, outcome.rawOutputs, at);
      return true;
    });
  }
}

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

async function insertFindings(
  tx: Database,
  task: { id: number; jobId: number },
  batch: readonly NewFinding[],
): Promise<number[]> {
  const wanted = batch.map((finding) => toRow(finding, task));
  const rows = await insertRows(tx, findings, wanted).returning({ id: findings.id });
  const withEvents = batch.flatMap(({ events }, index) => {
    const findingId = rows[index]?.id;
    return findingId === undefined || events.length === 0 ? [] : [{ findingId, inOrder: storableJson(events) }];
  });
  if (withEvents.length > 0) await insertRows(tx, findingEvents, withEvents);
  return rows.map(({ id }) => id);
}

function toRow(finding: NewFinding, task: { id: number; jobId: number }): typeof findings.$inferInsert {
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
    ruleSource: finding.ruleSource === null ? null : storableText(finding.ruleSource),
  };
}
