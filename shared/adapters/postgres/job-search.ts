import type { JobFilter, JobSearch } from '@svc/application/ports/job-lists.ts';
import { jobStatuses, isTerminal, momentOf, type Actor, type SearchCondition, type SearchTrait } from '@svc/domain';
import { and, between, eq, gt, gte, inArray, isNotNull, isNull, like, lt, not, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';
import { jobs, jobTags, jobWatches, tags, taskResults, uploadedFiles, workflows } from './schema/index.ts';

/** What conditions are made with. */
interface Context {
  readonly db: Database;
  readonly viewer: Actor;
  readonly now: Date;
}

const nothing = sql`false`;
const terminal = jobStatuses.filter(isTerminal);
const live = jobStatuses.filter((status) => !isTerminal(status));

/** The exact condition on `jobs` of a search, none if it asks for nothing (resolved-platform 12). */
export function searchCondition(db: Database, viewer: Actor, { filters, now }: JobSearch): SQL | undefined {
  return and(...filters.map((filter) => filterCondition({ db, viewer, now }, filter)));
}

function filterCondition(context: Context, { condition, negated }: JobFilter): SQL {
  if (condition === null) return nothing;
  const asked = conditionOf(context, condition);
  return negated ? not(asked) : asked;
}

/** Never null, which `not` would keep. */
function conditionOf({ db, viewer, now }: Context, asked: SearchCondition): SQL {
  switch (asked.key) {
    case 'name':
      return like(jobs.searchName, namePattern(asked));
    case 'tag': {
      const named = db
        .select({ id: jobTags.jobId })
        .from(jobTags)
        .innerJoin(tags, eq(tags.id, jobTags.tagId))
        .where(inArray(tags.name, [...asked.values]));
      return inArray(jobs.id, named);
    }
    case 'status':
      return inArray(jobs.status, [...asked.values]);
    case 'type':
      return inArray(jobs.logType, [...asked.values]);
    case 'workflow': {
      const named = db.select({ id: workflows.id }).from(workflows).where(contains(workflows.name, asked.values));
      return inArray(jobs.workflowId, named);
    }
    case 'tool': {
      const ran = db
        .select({ id: taskResults.jobId })
        .from(taskResults)
        .where(contains(taskResults.engine, asked.values));
      return inArray(jobs.id, ran);
    }
    case 'sev':
      return any(asked.values.map((severity) => sql`(${jobs.severitySummary} ->> ${severity})::bigint > 0`));
    case 'findings':
      return any(
        asked.values.map(({ min, max }) =>
          max === null ? gte(jobs.totalFindings, min) : between(jobs.totalFindings, min, max),
        ),
      );
    case 'after':
      return any(asked.values.map((moment) => gte(jobs.createdAt, momentOf(moment, now))));
    case 'before':
      return any(asked.values.map((moment) => lt(jobs.createdAt, momentOf(moment, now))));
    case 'id':
      return inArray(jobs.id, [...asked.values]);
    case 'sha256': {
      const begins = asked.values.map((digits) => like(uploadedFiles.sha256, `${digits}%`));
      return inArray(jobs.fileId, db.select({ id: uploadedFiles.id }).from(uploadedFiles).where(any(begins)));
    }
    case 'is':
      return any(asked.values.map((trait) => traitCondition(db, viewer, trait)));
  }
}

function traitCondition(db: Database, viewer: Actor, trait: SearchTrait): SQL {
  switch (trait) {
    case 'private':
      return eq(jobs.isPrivate, true);
    case 'public':
      return not(jobs.isPrivate);
    case 'mine':
      return viewer.kind === 'account' ? sql`${jobs.submittedBy} is not distinct from ${viewer.userId}` : nothing;
    case 'anonymous':
      return isNull(jobs.submittedBy);
    case 'watched': {
      if (viewer.kind === 'anonymous') return nothing;
      const watched = db.select({ id: jobWatches.jobId }).from(jobWatches).where(eq(jobWatches.userId, viewer.userId));
      return inArray(jobs.id, watched);
    }
    case 'hits':
      return gt(jobs.totalFindings, 0);
    case 'clean':
      return eq(jobs.totalFindings, 0);
    case 'error':
      return isNotNull(jobs.errorMessage);
    case 'running':
      return inArray(jobs.status, live);
    case 'done':
      return inArray(jobs.status, terminal);
  }
}

function any(conditions: readonly SQL[]): SQL {
  return or(...conditions) ?? nothing;
}

/** Whether a text contains any of these, whatever the case. */
function contains(column: PgColumn, texts: readonly string[]): SQL {
  return any(texts.map((text) => sql`strpos(lower(${column}), ${text.toLowerCase()}) > 0`));
}

function namePattern({ text, isWildcard }: Extract<SearchCondition, { key: 'name' }>): string {
  const literal = text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`);
  return isWildcard ? literal.replaceAll('*', '%') : `%${literal}%`;
}
