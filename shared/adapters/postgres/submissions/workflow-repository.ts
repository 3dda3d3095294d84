import type { WorkflowRepository, WorkflowSeed } from '@svc/application/submissions/workflow-repository.ts';
import { programOf, WorkflowDefinition } from '@svc/contracts/workflow-definition.ts';
import type { RuleFilters, Workflow, WorkflowTask } from '@svc/domain';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { load } from 'js-yaml';
import type { Database } from '../database.ts';
import { workflows } from '../schema/index.ts';
import { workflowDigest } from './workflow-digest.ts';

const columns = {
  id: workflows.id,
  name: workflows.name,
  description: workflows.description,
  logTypes: workflows.logTypes,
  isDefault: workflows.isDefault,
  createdAt: workflows.createdAt,
  updatedAt: workflows.updatedAt,
};

/** Those that new jobs may use. */
const inUse = and(workflows.enabled, isNull(workflows.deletedAt));

export class PgWorkflowRepository implements WorkflowRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(): Promise<readonly Workflow[]> {
    const rows = await this.#db.select(columns).from(workflows).where(inUse).orderBy(asc(workflows.name));
    return rows.map(workflowOf);
  }

  async get(id: number): Promise<Workflow | null> {
    const [row] = await this.#db
      .select(columns)
      .from(workflows)
      .where(and(eq(workflows.id, id), inUse));
    return row ? workflowOf(row) : null;
  }

  async tasks(id: number): Promise<readonly WorkflowTask[]> {
    const [row] = await this.#db
      .select({ definition: workflows.definition })
      .from(workflows)
      .where(eq(workflows.id, id));
    return row ? tasksOf(row.definition) : [];
  }

  async seed(seeds: readonly WorkflowSeed[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // Processes that start at the same time take turns; readers need not.
      await tx.execute(sql`lock table ${workflows} in share row exclusive mode`);
      const rows = await tx.select().from(workflows);
      let hasDefault = rows.some(({ isDefault }) => isDefault);
      for (const seed of seeds) {
        const { isDefault, ...content } = { ...seed, logTypes: [...seed.logTypes] };
        const marks = { seedHash: workflowDigest(content), shippedAs: seed.name };
        const row = rows.find((one) => cameFrom(one, seed.name));
        if (row) {
          const isNews = isFollowing(row) && row.seedHash !== marks.seedHash;
          const change = isNews ? { ...content, ...marks, updatedAt: new Date() } : { shippedAs: seed.name };
          await tx.update(workflows).set(change).where(eq(workflows.id, row.id));
          // A site that has given the name to a workflow of its own keeps that one.
        } else if (!rows.some(({ name, deletedAt }) => name === seed.name && deletedAt === null)) {
          await tx.insert(workflows).values({ ...content, ...marks, isDefault: isDefault && !hasDefault });
          hasDefault ||= isDefault;
        }
      }
    });
  }
}

type Row = typeof workflows.$inferSelect;

/** Rows that versions before this one have taken from a file do not say from which: then they have its name. */
function cameFrom(row: Row, file: string): boolean {
  return row.shippedAs === null ? row.seedHash !== null && row.name === file : row.shippedAs === file;
}

/** Whether a row follows its file: nobody has edited or deleted it. */
function isFollowing(row: Row): boolean {
  return row.deletedAt === null && row.seedHash === workflowDigest(row);
}

function workflowOf({
  createdAt,
  updatedAt,
  ...workflow
}: Omit<Workflow, 'editedAt'> & Pick<Row, 'createdAt' | 'updatedAt'>): Workflow {
  return { ...workflow, editedAt: updatedAt.getTime() > createdAt.getTime() ? updatedAt : null };
}

/** Tasks of a definition; none when its text cannot be read, which ends the job with `workflow_empty`. */
function tasksOf(definition: string): WorkflowTask[] {
  const parsed = WorkflowDefinition.safeParse(loadYaml(definition));
  if (!parsed.success) return [];
  return parsed.data.tasks.map((task) => ({
    tool: task.tool,
    whenAvailable: task.when_available,
    packs: task.packs,
    filters: filtersOf(task),
    rulesPaths: task.rules_path,
    program: programOf(task),
    containerOptions: task.container_options,
    threads: task.threads,
    target: task.target ?? null,
    options: task.options,
    extraArgs: task.extra_args,
    timeout: task.timeout,
    maxFindingDetails: task.max_finding_details ?? null,
  }));
}

/** Level and status may stand among the options, as other engines have them. */
function filtersOf({ filters, options }: WorkflowDefinition['tasks'][number]): RuleFilters {
  const { min_level: minLevel, status: statuses, log_source, tags, include, exclude } = filters;
  const logSources = log_source.map((source) => definedOf(source));
  return {
    minLevel: minLevel ?? options.min_level ?? null,
    statuses: statuses.length > 0 ? statuses : [options.status ?? []].flat(),
    logSources,
    tags,
    include,
    exclude,
  };
}

/** The keys that are stated. */
function definedOf<T extends object>(source: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const stated = Object.entries(source).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated) as ReturnType<typeof definedOf<T>>;
}

function loadYaml(text: string): unknown {
  try {
    return load(text);
  } catch {
    return null;
  }
}
