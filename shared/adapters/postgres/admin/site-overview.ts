import type { SiteCounts, SiteOverview, StoredSecret } from '@svc/application/admin/readiness/site-overview.ts';
import type { BackgroundKind, BackgroundTask } from '@svc/application/work/background-task-repository.ts';
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import {
  accounts,
  aiProviders,
  aiRuns,
  apiTokens,
  backgroundTasks,
  enrichmentServices,
  workflows,
} from '../schema/index.ts';
import { sealedSecrets } from './sealed-secrets.ts';

const inFlight = ['pending', 'running'] as const;

export class PgSiteOverview implements SiteOverview {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async counts(now: Date): Promise<SiteCounts> {
    const [users, admins, works, activeTokens, activeBackground, services, enabledServices] = await Promise.all([
      this.#db.$count(accounts),
      this.#db.$count(accounts, eq(accounts.role, 'admin')),
      this.#db.$count(workflows),
      this.#activeTokens(now),
      this.#db.$count(backgroundTasks, inArray(backgroundTasks.status, inFlight)),
      this.#db.$count(enrichmentServices),
      this.#db.$count(enrichmentServices, eq(enrichmentServices.enabled, true)),
    ]);
    const enrichment = { total: services, enabled: enabledServices };
    return { users, admins, workflows: works, activeTokens, activeBackground, enrichment, ...(await this.#ai()) };
  }

  async #ai(): Promise<Pick<SiteCounts, 'activeAiRuns' | 'aiProviders'>> {
    const [total, enabled, activeAiRuns] = await Promise.all([
      this.#db.$count(aiProviders),
      this.#db.$count(aiProviders, eq(aiProviders.isEnabled, true)),
      this.#db.$count(aiRuns, inArray(aiRuns.status, inFlight)),
    ]);
    return { aiProviders: { total, enabled }, activeAiRuns };
  }

  async #activeTokens(now: Date): Promise<number> {
    const [row] = await this.#db
      .select({ many: sql<number>`count(*)::integer` })
      .from(apiTokens)
      .innerJoin(accounts, eq(accounts.id, apiTokens.createdBy))
      .where(
        and(
          isNull(apiTokens.revokedAt),
          or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
          accounts.isActive,
          inArray(accounts.role, ['member', 'admin']),
        ),
      );
    return row!.many;
  }

  lastRuns(kinds: readonly BackgroundKind[]): Promise<readonly BackgroundTask[]> {
    return this.#db
      .selectDistinctOn([backgroundTasks.kind])
      .from(backgroundTasks)
      .where(and(inArray(backgroundTasks.kind, [...kinds]), isNull(backgroundTasks.targetId)))
      .orderBy(backgroundTasks.kind, desc(backgroundTasks.id));
  }

  async secrets(): Promise<readonly StoredSecret[]> {
    const found: StoredSecret[] = [];
    for (const { table, column, placeOf, said } of sealedSecrets) {
      const rows = await this.#db
        .select({ id: table.id, name: table.name, sealed: column })
        .from(table)
        .where(isNotNull(column))
        .orderBy(table.id);
      found.push(...rows.map(({ id, name, sealed }) => ({ place: placeOf(id), sealed: sealed!, of: said(name) })));
    }
    return found;
  }

  admins(): Promise<readonly { readonly email: string; readonly passwordHash: string }[]> {
    return this.#db
      .select({ email: accounts.email, passwordHash: accounts.passwordHash })
      .from(accounts)
      .where(and(eq(accounts.role, 'admin'), accounts.isActive))
      .orderBy(accounts.createdAt);
  }
}
