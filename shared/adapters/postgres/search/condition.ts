import type { JobFilter, JobSearch } from '@svc/application/ports/job-lists.ts';
import { jobStatuses, isTerminal, momentOf, type Actor, type SearchCondition, type SearchTrait } from '@svc/domain';
import {
  and,
  between,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  not,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobs, jobTags, jobWatches, taskResults, uploadedFiles } from '../schema/index.ts';
import { engineNames, tagIds, workflowIds, type Vocabulary } from './vocabulary.ts';

/** What conditions are made with. */
export interface SearchContext {
  readonly db: Database;
  readonly viewer: Actor;
  readonly now: Date;
  readonly vocabulary: Vocabulary;
}

const nothing = sql`false`;
export const terminalStatuses = jobStatuses.filter(isTerminal);
export const liveStatuses = jobStatuses.filter((status) => !isTerminal(status));

/** The exact condition on `jobs` of a search, none if it asks for nothing (resolved-platform 12). */
export function searchCondition(context: SearchContext, { filters }: JobSearch): SQL | undefined {
  return and(...filters.map((filter) => filterCondition(context, filter)));
}

function filterCondition(context: SearchContext, { condition, negated }: JobFilter): SQL {
  if (condition === null) return nothing;
  const asked = conditionOf(context, condition);
  return negated ? not(asked) : asked;
}

/** The exact condition of a term; never null, which `not` would keep. */
export function conditionOf({ db, viewer, now, vocabulary }: SearchContext, asked: SearchCondition): SQL {
  switch (asked.key) {
    case 'name':
      return like(jobs.searchName, namePattern(asked));
    case 'tag': {
      const carried = and(eq(jobTags.jobId, jobs.id), inArray(jobTags.tagId, tagIds(vocabulary, asked)));
      return exists(db.select({ id: jobTags.jobId }).from(jobTags).where(carried));
    }
    case 'status':
      return inArray(jobs.status, [...asked.values]);
    case 'type':
      return inArray(jobs.logType, [...asked.values]);
    case 'workflow':
      return inArray(jobs.workflowId, workflowIds(vocabulary, asked));
    case 'tool': {
      const ran = and(eq(taskResults.jobId, jobs.id), inArray(taskResults.engine, engineNames(vocabulary, asked)));
      return exists(db.select({ id: taskResults.jobId }).from(taskResults).where(ran));
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
    case 'watched':
      return watchedCondition(db, viewer);
    case 'hits':
      return gt(jobs.totalFindings, 0);
    case 'clean':
      return eq(jobs.totalFindings, 0);
    case 'error':
      return isNotNull(jobs.errorMessage);
    case 'running':
      return inArray(jobs.status, liveStatuses);
    case 'done':
      return inArray(jobs.status, terminalStatuses);
  }
}

/** Jobs that the viewer watches. */
export function watchedCondition(db: Database, viewer: Actor): SQL {
  if (viewer.kind === 'anonymous') return nothing;
  const watched = db.select({ id: jobWatches.jobId }).from(jobWatches).where(eq(jobWatches.userId, viewer.userId));
  return inArray(jobs.id, watched);
}

function any(conditions: readonly SQL[]): SQL {
  return or(...conditions) ?? nothing;
}

function namePattern({ text, isWildcard }: Extract<SearchCondition, { key: 'name' }>): string {
  const literal = text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`);
  return isWildcard ? literal.replaceAll('*', '%') : `%${literal}%`;
}
