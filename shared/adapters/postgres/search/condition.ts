import type { JobFilter, JobSearch } from '@svc/application/jobs/job-lists.ts';
import {
  hasRole,
  heldWord,
  isTerminal,
  jobStatuses,
  logTypes,
  momentOf,
  severityRank,
  type Actor,
  type HeldKey,
  type JobStatus,
  type SearchCondition,
  type SearchTrait,
} from '@svc/domain';
import { and, between, eq, gte, ilike, inArray, like, lt, not, or, sql, type Column, type SQL } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import { caseJobs, cases, jobs, jobWatches, taskResults, uploadedFiles } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { caseVisibleTo, visibleTo } from '../visible.ts';
import { flag, hasAny, hasNone, named, numbered, type Facet } from './facets.ts';
import { engineNames, otherTagIds, tagIds, workflowIds, type Vocabulary } from './vocabulary.ts';

/** What conditions are made with. */
export interface SearchContext {
  readonly db: Database;
  readonly viewer: Actor;
  readonly now: Date;
  readonly vocabulary: Vocabulary;
}

type Asked<K extends SearchCondition['key']> = Extract<SearchCondition, { key: K }>;

const nothing = sql`false`;
const liveStatuses = jobStatuses.filter((status) => !isTerminal(status));
const any = (...facets: Facet[]): SQL => hasAny(jobs.facets, facets);

/** Live jobs: few, for which there is an index of their own. */
export const isLive = inArray(jobs.status, liveStatuses);

/** Conditions on `jobs` of a search by this viewer: on when they were created, and all others; none if all are found. */
export interface SearchConditions {
  readonly during: SQL | undefined;
  readonly where: SQL | undefined;
}

/** What a search asks for (resolved-platform 3.7, 12). */
export function searchConditions(context: SearchContext, { filters, alternatives }: JobSearch): SearchConditions {
  const [times, others] = [true, false].map((which) =>
    filters
      .filter(({ condition }) => (condition?.key === 'after' || condition?.key === 'before') === which)
      .map((filter) => filterCondition(context, filter)),
  );
  const either = alternatives?.map((all) => and(...all.map((filter) => filterCondition(context, filter))));
  return {
    during: and(...(times ?? [])),
    where: and(isSeen(context.viewer), ...(others ?? []), either && or(...either)),
  };
}

/** Whether a search finds none but jobs without matches. */
export function isClean({ filters }: JobSearch): boolean {
  return filters.some(
    ({ condition, negated }) =>
      condition?.key === 'is' && condition.values.length === 1 && condition.values[0] === (negated ? 'hits' : 'clean'),
  );
}

/** As {@link visibleTo} decides, with facets for the index to go by. */
function isSeen(viewer: Actor): SQL | undefined {
  if (hasRole(viewer, 'admin')) return undefined;
  if (viewer.kind === 'anonymous') return any(flag('public'));
  return and(any(flag('public'), named('privateOf', viewer.userId)), visibleTo(viewer));
}

/** Never null where jobs are concerned, which `not` would keep. */
function filterCondition(context: SearchContext, { condition: asked, negated }: JobFilter): SQL {
  if (asked === null) return nothing;
  const { vocabulary } = context;
  switch (asked.key) {
    // What a job has one of: to have none of these is to have one of the others.
    case 'status':
      return hasStatus(negated ? jobStatuses.filter((one) => !asked.values.includes(one)) : asked.values);
    case 'type': {
      const types = negated ? logTypes.filter((one) => !asked.values.includes(one)) : asked.values;
      return any(...types.map((type) => named('type', type)));
    }
    case 'workflow': {
      const ids = workflowIds(vocabulary, asked);
      const others = vocabulary.workflows.map(({ id }) => id).filter((id) => !ids.includes(id));
      return any(...(negated ? others : ids).map((id) => numbered('workflow', id)));
    }
    case 'sev': {
      const withThese = (has: 0 | 1): SQL[] =>
        asked.values.map((severity) => any(numbered('severity', 2 * severityRank(severity) + has)));
      return (negated ? and(...withThese(0)) : or(...withThese(1))) ?? nothing;
    }
    // What it may have several of: without these, it has others or nothing.
    case 'tag': {
      const tags = tagFacets(tagIds(vocabulary, asked));
      const others = otherTagIds(vocabulary, asked);
      return negated ? hasNone(jobs.facets, tags, others && [flag('untagged'), ...tagFacets(others)]) : any(...tags);
    }
    case 'tool': {
      const names = engineNames(vocabulary, asked);
      const others = vocabulary.engines.filter((name) => !names.includes(name));
      const tools = toolFacets(names);
      return negated ? hasNone(jobs.facets, tools, [flag('toolless'), ...toolFacets(others)]) : any(...tools);
    }
    case 'is': {
      const traits = asked.values.map((trait) => traitCondition(context, trait, negated));
      return (negated ? and(...traits) : or(...traits)) ?? nothing;
    }
    default: {
      const condition = plainCondition(context, asked);
      return negated ? not(condition) : condition;
    }
  }
}

function tagFacets(ids: readonly number[]): Facet[] {
  return ids.map((id) => numbered('tag', id));
}

function toolFacets(names: readonly string[]): Facet[] {
  return names.map((name) => named('tool', name));
}

/** Names, amounts, times, numbers, digests and what results hold, for which there are indexes of their own. */
function plainCondition(
  { db, viewer, now }: SearchContext,
  asked: Asked<'name' | 'findings' | 'after' | 'before' | 'id' | 'sha256' | 'case' | HeldKey>,
): SQL {
  switch (asked.key) {
    case 'name':
      return like(jobs.searchName, namePattern(asked));
    case 'findings': {
      const within = asked.values.map(({ min, max }) =>
        max === null ? gte(jobs.totalFindings, min) : between(jobs.totalFindings, min, max),
      );
      return or(...within) ?? nothing;
    }
    case 'after':
      return or(...asked.values.map((moment) => gte(jobs.createdAt, momentOf(moment, now)))) ?? nothing;
    case 'before':
      return or(...asked.values.map((moment) => lt(jobs.createdAt, momentOf(moment, now)))) ?? nothing;
    case 'id':
      return inArray(jobs.id, [...asked.values]);
    case 'sha256':
      return onFile(db, jobs.fileId, asked.values);
    case 'hash':
      // As one list of jobs: of two conditions in an OR, no index would be used.
      return inArray(
        jobs.id,
        unionAll(
          db
            .select({ id: same.id })
            .from(same)
            .where(onFile(db, same.fileId, asked.values)),
          jobsHolding(db, asked),
        ),
      );
    case 'case':
      return inArray(jobs.id, jobsOfCases(db, viewer, asked.values));
    default:
      return holds(db, asked);
  }
}

/** Jobs beside the one that is looked at. */
const same = alias(jobs, 'same');

function onFile(db: Database, fileId: Column, beginnings: readonly string[]): SQL {
  const begins = or(...beginnings.map((digits) => like(uploadedFiles.sha256, `${digits}%`)));
  return inArray(fileId, db.select({ id: uploadedFiles.id }).from(uploadedFiles).where(begins));
}

/** What the results of a job hold. */
function holds(db: Database, asked: Asked<HeldKey>): SQL {
  return inArray(jobs.id, jobsHolding(db, asked));
}

function jobsHolding(db: Database, { key, values }: Asked<HeldKey>) {
  const words = values.map((value) => sql`${storableText(heldWord(key, value))}::text`);
  const held = sql`${taskResults.held} && array[${sql.join(words, sql`, `)}]`;
  return db.select({ id: taskResults.jobId }).from(taskResults).where(held);
}

function jobsOfCases(db: Database, viewer: Actor, values: readonly string[]) {
  const asked = values.map((value) =>
    /^\d{1,9}$/.test(value) ? eq(cases.id, Number(value)) : ilike(cases.name, `%${literally(value)}%`),
  );
  return db
    .select({ id: caseJobs.jobId })
    .from(caseJobs)
    .innerJoin(cases, eq(cases.id, caseJobs.caseId))
    .where(and(or(...asked), caseVisibleTo(viewer)));
}

function hasStatus(statuses: readonly JobStatus[]): SQL {
  const live = statuses.filter((status) => !isTerminal(status));
  const over = statuses.filter(isTerminal).map((status) => named('status', status));
  if (live.length === 0) return any(...over);
  return or(inArray(jobs.status, live), over.length > 0 ? any(...over) : undefined) ?? nothing;
}

function traitCondition({ db, viewer }: SearchContext, trait: SearchTrait, negated: boolean): SQL {
  const either = (yes: Parameters<typeof flag>[0], no: typeof yes): SQL => any(flag(negated ? no : yes));
  switch (trait) {
    case 'private':
    case 'public':
      return (trait === 'private') === negated ? any(flag('public')) : isPrivateOf(viewer);
    case 'mine': {
      if (viewer.kind === 'anonymous') return negated ? sql`true` : nothing;
      return negated ? sql`${jobs.submittedBy} is distinct from ${viewer.userId}` : eq(jobs.submittedBy, viewer.userId);
    }
    case 'anonymous':
      return either('anonymous', 'submitted');
    case 'watched': {
      const watched = isWatched(db, viewer);
      return negated ? not(watched) : watched;
    }
    case 'hits':
      return either('hits', 'clean');
    case 'clean':
      return either('clean', 'hits');
    case 'error':
      return either('error', 'sound');
    case 'running':
    case 'done':
      return hasStatus(jobStatuses.filter((status) => isTerminal(status) === ((trait === 'done') !== negated)));
  }
}

/** Of private jobs, a viewer sees no others. */
function isPrivateOf(viewer: Actor): SQL {
  if (hasRole(viewer, 'admin')) return any(flag('private'));
  return viewer.kind === 'anonymous' ? nothing : any(named('privateOf', viewer.userId));
}

function isWatched(db: Database, viewer: Actor): SQL {
  if (viewer.kind === 'anonymous') return nothing;
  const watched = db.select({ id: jobWatches.jobId }).from(jobWatches).where(eq(jobWatches.userId, viewer.userId));
  return inArray(jobs.id, watched);
}

function namePattern({ text, isWildcard }: Asked<'name'>): string {
  const literal = literally(text.toLowerCase());
  return isWildcard ? literal.replaceAll('*', '%') : `%${literal}%`;
}

/** Text in which a pattern of LIKE has no wildcards. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}
