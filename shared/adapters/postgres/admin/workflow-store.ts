import type {
  StoredWorkflow,
  WorkflowChange,
  WorkflowContent,
  WorkflowStore,
  WorkflowUse,
} from '@svc/application/admin/workflows/workflow-store.ts';
import { AppError, type WorkflowOrigin } from '@svc/domain';
import { and, asc, count, eq, isNull, max, ne } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { isUniqueViolation } from '../errors.ts';
import { jobs, workflows } from '../schema/index.ts';
import { workflowDigest } from '../submissions/workflow-digest.ts';
import { storableText } from '../text.ts';

type Row = typeof workflows.$inferSelect;

const contentKeys = ['name', 'description', 'logTypes', 'definition'];

export class PgWorkflowStore implements WorkflowStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async all(): Promise<readonly StoredWorkflow[]> {
    return (await this.#db.select().from(workflows).orderBy(asc(workflows.name), asc(workflows.id))).map(stored);
  }

  async uses(): Promise<ReadonlyMap<number, WorkflowUse>> {
    const { workflowId: id, createdAt } = jobs;
    const rows = await this.#db
      .select({ id, jobs: count(), last: max(createdAt) })
      .from(jobs)
      .groupBy(id);
    return new Map(rows.map((row) => [row.id, { jobs: row.jobs, lastUsedAt: row.last! }]));
  }

  async get(id: number): Promise<StoredWorkflow | null> {
    const [row] = await this.#db
      .select()
      .from(workflows)
      .where(and(eq(workflows.id, id), isNull(workflows.deletedAt)));
    return row ? stored(row) : null;
  }

  async add(workflow: WorkflowContent & Pick<StoredWorkflow, 'isDefault' | 'enabled'>, at: Date): Promise<number> {
    if (workflow.isDefault) await this.#clearDefault(0);
    const values = { ...storable(workflow), logTypes: [...workflow.logTypes], createdAt: at, updatedAt: at };
    const [row] = await this.#db.insert(workflows).values(values).returning({ id: workflows.id }).catch(named);
    return row!.id;
  }

  async change(id: number, { isAsShipped, ...change }: WorkflowChange, at: Date): Promise<void> {
    if (change.isDefault) await this.#clearDefault(id);
    const content = storable(change);
    const isSaid = contentKeys.some((key) => key in content);
    const [row] = await this.#db
      .update(workflows)
      .set({ ...content, ...(isSaid && { updatedAt: at }) })
      .where(eq(workflows.id, id))
      .returning()
      .catch(named);
    if (!row || !isAsShipped) return;
    const seedHash = workflowDigest(row);
    await this.#db.update(workflows).set({ seedHash }).where(eq(workflows.id, id));
  }

  async #clearDefault(but: number): Promise<void> {
    await this.#db
      .update(workflows)
      .set({ isDefault: false })
      .where(and(workflows.isDefault, ne(workflows.id, but)));
  }
}

/** Texts as PostgreSQL holds them. */
function storable<T extends WorkflowChange>({ logTypes, ...rest }: T) {
  const { name, description, definition } = rest;
  return {
    ...rest,
    ...(name !== undefined && { name: storableText(name) }),
    ...(description !== undefined && { description: storableText(description) }),
    ...(definition !== undefined && { definition: storableText(definition) }),
    ...(logTypes && { logTypes: [...logTypes] }),
  };
}

function named(error: unknown): never {
  if (isUniqueViolation(error)) throw new AppError('conflict', 'There is a workflow with this name already');
  throw error;
}

function stored({ seedHash, ...row }: Row): StoredWorkflow {
  return { ...row, origin: originOf(row.shippedAs, seedHash, row) };
}

function originOf(shippedAs: string | null, seedHash: string | null, row: WorkflowContent): WorkflowOrigin {
  if (shippedAs === null && seedHash === null) return 'own';
  return seedHash === workflowDigest(row) ? 'shipped' : 'edited';
}
