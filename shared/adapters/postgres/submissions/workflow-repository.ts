import type { WorkflowRepository, WorkflowSeed } from '@svc/application/submissions/workflow-repository.ts';
import { WorkflowDefinition } from '@svc/config';
import type { RuleFilters, Workflow, WorkflowTask } from '@svc/domain';
import { asc, eq, sql } from 'drizzle-orm';
import { load } from 'js-yaml';
import { createHash } from 'node:crypto';
import type { Database } from '../database.ts';
import { workflows } from '../schema/index.ts';

const columns = {
  id: workflows.id,
  name: workflows.name,
  description: workflows.description,
  logTypes: workflows.logTypes,
  isDefault: workflows.isDefault,
};

export class PgWorkflowRepository implements WorkflowRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(): Promise<readonly Workflow[]> {
    return this.#db.select(columns).from(workflows).orderBy(asc(workflows.name));
  }

  async get(id: number): Promise<Workflow | null> {
    const [row] = await this.#db.select(columns).from(workflows).where(eq(workflows.id, id));
    return row ?? null;
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
      const known = new Map((await tx.select().from(workflows)).map((row) => [row.name, row]));
      let hasDefault = [...known.values()].some(({ isDefault }) => isDefault);
      for (const seed of seeds) {
        const { isDefault, ...content } = { ...seed, logTypes: [...seed.logTypes] };
        const seedHash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
        const row = known.get(seed.name);
        if (!row) {
          await tx.insert(workflows).values({ ...content, isDefault: isDefault && !hasDefault, seedHash });
          hasDefault ||= isDefault;
        } else if (row.seedHash !== null && row.seedHash !== seedHash) {
          // An edited row has no digest, and stays as its editor left it.
          await tx
            .update(workflows)
            .set({ ...content, seedHash, updatedAt: new Date() })
            .where(eq(workflows.id, row.id));
        }
      }
    });
  }
}

/** Tasks of a definition; none when its text cannot be read, which ends the job with `workflow_empty`. */
function tasksOf(definition: string): WorkflowTask[] {
  const parsed = WorkflowDefinition.safeParse(loadYaml(definition));
  if (!parsed.success) return [];
  return parsed.data.tasks.map((task) => ({
    tool: task.tool,
    whenAvailable: task.when_available,
    packs: task.packs,
    filters: filtersOf(task.filters),
    rulesPaths: task.rules_path,
    timeout: task.timeout,
    maxFindingDetails: task.max_finding_details ?? null,
  }));
}

function filtersOf(filters: WorkflowDefinition['tasks'][number]['filters']): RuleFilters {
  const { min_level: minLevel, status: statuses, log_source, tags, include, exclude } = filters;
  const logSources = log_source.map((source) => definedOf(source));
  return { minLevel, statuses, logSources, tags, include, exclude };
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
