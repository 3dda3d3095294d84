import type {
  AiRunNote,
  AiRunProgress,
  AiRunRepository,
  AiRunSubject,
  EndedAiRun,
  NewAiRun,
  SentPrompt,
} from '@svc/application/ai/ai-run-repository.ts';
import { aiLimits, hasRole, type Actor, type AiRun, type AiRunStatus } from '@svc/domain';
import { and, desc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { aiRunParts, aiRuns, aiRunSources, jobs } from '../schema/index.ts';
import { fitting, storableJson, storableText } from '../text.ts';
import { visibleTo } from '../visible.ts';

// What a list needs: neither the answer, nor the log, nor what was sent.
const { content: _content, logOutput: _log, prompt: _prompt, ...head } = getTableColumns(aiRuns);

/** About four characters are a token, where nobody has counted. */
const spentTokens = sql`coalesce(${aiRuns.inputTokens}, ${aiRuns.promptChars} / 4) + coalesce(${aiRuns.outputTokens}, length(${aiRuns.content}) / 4, 0)`;

export class PgAiRunRepository implements AiRunRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add({ subject, subjectId, provider, requestedBy, at }: NewAiRun): Promise<number> {
    const [row] = await this.#db
      .insert(aiRuns)
      .values({
        jobId: subject === 'job' ? subjectId : null,
        caseId: subject === 'case' ? subjectId : null,
        providerId: provider.id,
        providerName: provider.name,
        model: provider.model,
        timeoutSeconds: provider.timeoutSeconds,
        status: 'pending',
        requestedBy,
        createdAt: at,
      })
      .returning({ id: aiRuns.id });
    return row!.id;
  }

  async get(id: number): Promise<AiRun | null> {
    const [row] = await this.#db.select(head).from(aiRuns).where(eq(aiRuns.id, id));
    return row ? runOf(row) : null;
  }

  async newest(viewer: Actor, of: AiRunSubject, limit: number): Promise<readonly AiRun[]> {
    const rows = await this.#db
      .select(head)
      .from(aiRuns)
      .where(readable(viewer, of))
      .orderBy(desc(aiRuns.id))
      .limit(limit);
    return rows.map(runOf);
  }

  async one(viewer: Actor, of: AiRunSubject, id: number): Promise<AiRun | null> {
    const [row] = await this.#db
      .select(head)
      .from(aiRuns)
      .where(and(readable(viewer, of), eq(aiRuns.id, id)));
    return row ? runOf(row) : null;
  }

  async progress(id: number, from: number): Promise<AiRunProgress | null> {
    // In one statement, so that a run that ends meanwhile is there once: in its pieces or as a whole.
    const pieces = sql<Piece[] | null>`(
      select json_agg(json_build_array(p.start, p.until, p.content) order by p.start)
      from ${aiRunParts} p where p.run_id = ${aiRuns.id} and p.until > ${from}::integer)`;
    const length = sql<number | null>`(select max(p.until) from ${aiRunParts} p where p.run_id = ${aiRuns.id})`;
    const [row] = await this.#db
      .select({ head, content: aiRuns.content, log: aiRuns.logOutput, pieces, length })
      .from(aiRuns)
      .where(eq(aiRuns.id, id));
    if (!row) return null;
    const run = runOf(row.head);
    if (row.content !== null) {
      return { run, rest: row.content.slice(from), length: row.content.length, log: row.log };
    }
    const rest = (row.pieces ?? []).map(([start, , text]) => text.slice(Math.max(0, from - start))).join('');
    return { run, rest, length: row.length ?? 0, log: row.log };
  }

  async sources(id: number): Promise<readonly number[]> {
    const rows = await this.#db
      .select({ jobId: aiRunSources.jobId })
      .from(aiRunSources)
      .where(eq(aiRunSources.runId, id))
      .orderBy(aiRunSources.jobId);
    return rows.map(({ jobId }) => jobId);
  }

  async sent(id: number): Promise<SentPrompt | null> {
    const [row] = await this.#db.select({ prompt: aiRuns.prompt }).from(aiRuns).where(eq(aiRuns.id, id));
    if (!row?.prompt) return null;
    const { pseudonyms, ...prompt } = row.prompt;
    return { ...prompt, pseudonyms: pseudonyms.map(([token, value]) => ({ token, value })) };
  }

  async begin(id: number, at: Date): Promise<boolean> {
    const rows = await this.#db
      .update(aiRuns)
      .set({ status: 'running', startedAt: at, heartbeatAt: at })
      .where(and(eq(aiRuns.id, id), eq(aiRuns.status, 'pending')))
      .returning({ id: aiRuns.id });
    return rows.length > 0;
  }

  async sending(id: number, { promptChars, prompt, sources, at }: Parameters<AiRunRepository['sending']>[1]) {
    const stored = prompt && {
      ...prompt,
      pseudonyms: prompt.pseudonyms.map(({ token, value }) => [token, value] as const),
    };
    await this.#db
      .update(aiRuns)
      .set({ promptChars, evidenceCapturedAt: at, ...(stored && { prompt: storableJson(stored) }) })
      .where(eq(aiRuns.id, id));
    if (sources.length === 0) return;
    await this.#db
      .insert(aiRunSources)
      .values(sources.map((jobId) => ({ runId: id, jobId })))
      .onConflictDoNothing();
  }

  async note(id: number, { at, part, log }: AiRunNote, mostLog: number): Promise<boolean> {
    const lines = storableText(log);
    const logged = lines === '' ? sql`log_output` : sql`right(log_output || ${lines}::text, ${mostLog}::integer)`;
    const alive = sql`update ${aiRuns} set heartbeat_at = ${at.toISOString()}::timestamptz, log_output = ${logged}
      where ${aiRuns.id} = ${id}::integer and ${aiRuns.status} = 'running' returning id, cancel_requested_at`;
    const added =
      part === null
        ? sql`select`
        : sql`insert into ${aiRunParts} (run_id, start, until, content)
            select id, ${part.start}::integer, ${part.start + part.text.length}::integer, ${storableText(part.text)} from alive
            on conflict (run_id, start) do update set until = excluded.until, content = excluded.content`;
    const rows = await rowsOf<{ stops: boolean }>(
      this.#db,
      sql`with alive as (${alive}), added as (${added}) select cancel_requested_at is not null as stops from alive`,
    );
    return rows[0]?.stops === false;
  }

  async requestCancel(id: number, at: Date): Promise<void> {
    await this.#db
      .update(aiRuns)
      .set({ cancelRequestedAt: at })
      .where(and(eq(aiRuns.id, id), eq(aiRuns.status, 'running')));
  }

  async end(id: number, from: readonly AiRunStatus[], ended: EndedAiRun): Promise<boolean> {
    const { log, at, content, errorMessage, ...rest } = ended;
    const rows = await this.#db
      .update(aiRuns)
      .set({
        ...rest,
        content: storableText(content),
        errorMessage: errorMessage === null ? null : fitting(errorMessage, aiLimits.errorMessage),
        finishedAt: at,
        ...(log !== null && { logOutput: storableText(log) }),
      })
      .where(and(eq(aiRuns.id, id), inArray(aiRuns.status, [...from])))
      .returning({ id: aiRuns.id });
    if (rows.length === 0) return false;
    await this.#db.delete(aiRunParts).where(eq(aiRunParts.runId, id));
    return true;
  }

  async remove(ids: readonly number[]): Promise<number> {
    const rows = await this.#db
      .delete(aiRuns)
      .where(sql`${aiRuns.id} = any(${anArray('integer', ids)})`)
      .returning({ id: aiRuns.id });
    return rows.length;
  }

  async dropSource(jobId: number, at: Date): Promise<void> {
    const ofJob = this.#db.select({ id: aiRunSources.runId }).from(aiRunSources).where(eq(aiRunSources.jobId, jobId));
    await this.#db
      .update(aiRuns)
      .set({ sourceDeletedAt: sql`coalesce(${aiRuns.sourceDeletedAt}, ${at.toISOString()}::timestamptz)` })
      .where(and(inArray(aiRuns.id, ofJob), sql`${aiRuns.caseId} is not null`));
  }

  async spent(since: Date, accountId: string): Promise<{ readonly all: number; readonly own: number }> {
    const [row] = await this.#db
      .select({
        all: sql<string>`coalesce(sum(${spentTokens}), 0)`,
        own: sql<string>`coalesce(sum(${spentTokens}) filter (where ${aiRuns.requestedBy} = ${accountId}::uuid), 0)`,
      })
      .from(aiRuns)
      .where(sql`${aiRuns.createdAt} >= ${since.toISOString()}::timestamptz`);
    return { all: Number(row!.all), own: Number(row!.own) };
  }
}

type Piece = readonly [start: number, until: number, text: string];

/** Runs over something, as far as the viewer may read them: over a case, those all of whose jobs they see. */
function readable(viewer: Actor, { subject, subjectId }: AiRunSubject): SQL | undefined {
  if (subject === 'job') return eq(aiRuns.jobId, subjectId);
  const ofCase = eq(aiRuns.caseId, subjectId);
  if (hasRole(viewer, 'admin')) return ofCase;
  const seen = and(eq(jobs.id, aiRunSources.jobId), visibleTo(viewer));
  const unseen = sql`exists (select from ${aiRunSources} where ${aiRunSources.runId} = ${aiRuns.id}
    and not exists (select from ${jobs} where ${seen}))`;
  return and(ofCase, sql`not ${unseen}`);
}

type Head = Omit<typeof aiRuns.$inferSelect, 'content' | 'logOutput' | 'prompt'>;

function runOf({ jobId, caseId, ...row }: Head): AiRun {
  return jobId === null
    ? { ...row, subject: 'case', subjectId: caseId! }
    : { ...row, subject: 'job', subjectId: jobId };
}
