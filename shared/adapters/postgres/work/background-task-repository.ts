import type {
  BackgroundEnd,
  BackgroundKind,
  BackgroundTask,
  BackgroundTaskRepository,
  NewBackgroundTask,
} from '@svc/application/work/background-task-repository.ts';
import { and, asc, desc, eq, inArray, isNull, lt, not, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { backgroundTasks } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { deleteRows } from '../delete-rows.ts';

const inFlight = inArray(backgroundTasks.status, ['pending', 'running']);

export class PgBackgroundTaskRepository implements BackgroundTaskRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async request(task: NewBackgroundTask, at: Date): Promise<{ id: number; already: boolean }> {
    const { kind, targetId } = task;
    // The one in flight may end between the two statements.
    for (;;) {
      const [added] = await this.#db
        .insert(backgroundTasks)
        .values({ ...task, requestedBy: task.requestedBy.slice(0, 320), status: 'pending', createdAt: at })
        .onConflictDoNothing()
        .returning({ id: backgroundTasks.id });
      if (added) return { id: added.id, already: false };
      const [known] = await this.#db
        .select({ id: backgroundTasks.id })
        .from(backgroundTasks)
        .where(and(eq(backgroundTasks.kind, kind), about(targetId), inFlight));
      if (known) return { id: known.id, already: true };
    }
  }

  async begin(id: number, at: Date): Promise<BackgroundTask | null> {
    const [row] = await this.#db
      .update(backgroundTasks)
      .set({ status: 'running', startedAt: at, heartbeatAt: at, attempts: sql`${backgroundTasks.attempts} + 1` })
      .where(and(eq(backgroundTasks.id, id), inFlight))
      .returning();
    return row ?? null;
  }

  async progress(id: number, done: { cursor: number; detail: string }, at: Date): Promise<boolean> {
    const rows = await this.#db
      .update(backgroundTasks)
      .set({ cursor: done.cursor, detail: storableText(done.detail), heartbeatAt: at, attempts: 0 })
      .where(and(eq(backgroundTasks.id, id), inFlight))
      .returning({ id: backgroundTasks.id });
    return rows.length > 0;
  }

  async beat(id: number, at: Date): Promise<void> {
    await this.#db
      .update(backgroundTasks)
      .set({ heartbeatAt: at })
      .where(and(eq(backgroundTasks.id, id), inFlight));
  }

  async cancel(id: number, at: Date): Promise<BackgroundTask | null> {
    const [row] = await this.#db
      .update(backgroundTasks)
      .set({ status: 'cancelled', finishedAt: at })
      .where(and(eq(backgroundTasks.id, id), inFlight))
      .returning();
    return row ?? null;
  }

  async get(id: number): Promise<BackgroundTask | null> {
    const [row] = await this.#db.select().from(backgroundTasks).where(eq(backgroundTasks.id, id));
    return row ?? null;
  }

  async ended(most: number): Promise<BackgroundTask[]> {
    return this.#db.select().from(backgroundTasks).where(not(inFlight)).orderBy(desc(backgroundTasks.id)).limit(most);
  }

  async finish(id: number, end: BackgroundEnd, at: Date): Promise<boolean> {
    const set =
      'detail' in end
        ? ({ status: 'completed', detail: storableText(end.detail) } as const)
        : ({ status: 'failed', detail: null, errorMessage: storableText(end.error) } as const);
    const rows = await this.#db
      .update(backgroundTasks)
      .set({ ...set, finishedAt: at })
      .where(and(eq(backgroundTasks.id, id), inFlight))
      .returning({ id: backgroundTasks.id });
    return rows.length > 0;
  }

  async inFlight(): Promise<BackgroundTask[]> {
    return this.#db.select().from(backgroundTasks).where(inFlight).orderBy(asc(backgroundTasks.id));
  }

  async latest(kind: BackgroundKind, targetId: number): Promise<BackgroundTask | null> {
    const [row] = await this.#db
      .select()
      .from(backgroundTasks)
      .where(and(eq(backgroundTasks.kind, kind), eq(backgroundTasks.targetId, targetId)))
      .orderBy(desc(backgroundTasks.id))
      .limit(1);
    return row ?? null;
  }

  removeEnded(before: Date): Promise<number> {
    return deleteRows(this.#db, backgroundTasks, lt(backgroundTasks.finishedAt, before));
  }
}

function about(targetId: number | null): SQL {
  return targetId === null ? isNull(backgroundTasks.targetId) : eq(backgroundTasks.targetId, targetId);
}
