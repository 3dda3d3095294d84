import type { JobFilter, JobSearch } from '@svc/application/jobs/job-lists.ts';
import {
  heldKeys,
  heldWord,
  isTerminal,
  jobStatuses,
  logTypes,
  momentOf,
  severityRank,
  type Actor,
  type HeldKey,
  type SearchCondition,
} from '@svc/domain';
import { and, between, eq, gte, ilike, inArray, like, lt, not, or, sql, type Column, type SQL } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import { caseJobs, cases, jobs, taskResults, uploadedFiles } from '../schema/index.ts';
import { literally, storableText } from '../text.ts';
import { caseVisibleTo, visibleTo } from '../visible.ts';
import { any, nothing, type Asking, type Manner, type SearchContext } from './asking.ts';
import { flag, hasNone, named, numbered, type Facet } from './facets.ts';
import type { Part, Seen, Term, Through, Ways } from './listed.ts';
import { sortKeys } from './sort-keys.ts';
import { hasStatus, traitCondition } from './trait-condition.ts';
import { engineNames, otherTagIds, tagIds, workflowIds } from './vocabulary.ts';

type Asked<K extends SearchCondition['key']> = Extract<SearchCondition, { key: K }>;

const liveStatuses = jobStatuses.filter((status) => !isTerminal(status));

/** Live jobs: few, for which there is an index of their own. */
export const isLive = inArray(jobs.status, liveStatuses);

/** Conditions on `jobs` of a search by this viewer: on when they were created, and all others; none if all are found. */
export interface SearchConditions {
  readonly during: SQL | undefined;
  readonly where: SQL | undefined;
  /** Who may see a job is a part of `where` and `each`; parts are those of which other tables have lists. */
  readonly ways: Ways;
}

/** What is asked of a job: what {@link listedColumns} say, more of its row, or more than that. */
const reaches = ['listed', 'row', 'tables'] as const;
type Reach = (typeof reaches)[number];

/** What the index by which the newest are listed has of each job. */
const listedColumns = [
  jobs.totalFindings,
  jobs.workflowId,
  jobs.isPrivate,
  jobs.logType,
  jobs.status,
  jobs.searchName,
  jobs.submittedBy,
];

/** What a search asks for (resolved-platform 3.7, 12). */
export function searchConditions(context: SearchContext, { filters, alternatives }: JobSearch): SearchConditions {
  const others = filters.filter((filter) => !isTime(filter));
  const asked = (manner: Manner, all: readonly JobFilter[]): SQL | undefined =>
    and(...all.map((filter) => filterCondition({ ...context, manner }, filter)));
  const either = (manner: Manner): SQL | undefined => {
    const all = alternatives?.map((one) => asked(manner, one));
    if (all === undefined || manner === 'columns' || reachOf((alternatives ?? []).flat()) !== 'tables') {
      return all && or(...all);
    }
    // As one list of jobs, each found by itself: of such conditions in an OR, no index would be used.
    const found = all.map((one) => sql`select ${jobs.id} from ${jobs} where ${one ?? sql`true`}`);
    return sql`${jobs.id} in (${sql.join(found, sql` union all `)})`;
  };
  const where = (manner: Manner): SQL | undefined =>
    and(visibleTo(context.viewer), asked(manner, others), either(manner));
  const reach = reachOf([...others, ...(alternatives ?? []).flat()]);
  return {
    during: asked('columns', filters.filter(isTime)),
    where: where('facets'),
    ways: {
      seen: seenBy(context.viewer),
      each: where('columns'),
      terms: [...others.map((filter) => termOf((manner) => asked(manner, [filter]))), termOf(either)].flatMap(
        (term) => term ?? [],
      ),
      through: throughNewest(reach),
      parts: reach === 'tables' ? (alternatives ?? [[]]).map((all) => partOf(context, [...others, ...all])) : null,
    },
  };
}

function termOf(asked: (manner: Manner) => SQL | undefined): Term | null {
  const [each, byIndex] = [asked('columns'), asked('facets')];
  return each === undefined || byIndex === undefined ? null : { each, byIndex };
}

/** What is asked all at once. Of the jobs whose results hold a word, where there is one, the rest is asked one by one. */
function partOf(context: SearchContext, filters: readonly JobFilter[]): Part {
  const held = filters.filter(({ condition, negated }) => !negated && isHeld(condition));
  const word = held.length === 1 ? held[0] : undefined;
  const asked = (manner: Manner, all: readonly JobFilter[]): SQL | undefined => {
    const asking = { ...context, manner };
    return and(visibleTo(context.viewer), ...all.map((filter) => filterCondition(asking, filter)));
  };
  const each = asked('columns', filters);
  const through = throughNewest(reachOf(filters));
  if (!word || !isHeld(word.condition)) return { where: asked('facets', filters), each, through, among: null };
  const rest = filters.filter((filter) => filter !== word);
  return { where: asked('columns', rest), each, through, among: jobsHolding(context.db, word.condition).getSQL() };
}

function isHeld(condition: SearchCondition | null): condition is Asked<HeldKey> {
  return condition !== null && condition.key !== 'hash' && heldKeys.some((key) => key === condition.key);
}

function isTime({ condition }: JobFilter): boolean {
  return condition?.key === 'after' || condition?.key === 'before';
}

function throughNewest(reach: Reach): Through | null {
  return reach === 'tables' ? null : { key: sortKeys.created, columns: reach === 'listed' ? listedColumns : null };
}

function reachOf(filters: readonly JobFilter[]): Reach {
  const farthest = Math.max(0, ...filters.map((filter) => reaches.indexOf(filterReach(filter))));
  return reaches[farthest] ?? 'tables';
}

function filterReach({ condition }: JobFilter): Reach {
  switch (condition?.key) {
    case undefined:
    case 'name':
    case 'status':
    case 'type':
    case 'workflow':
    case 'findings':
    case 'after':
    case 'before':
    case 'id':
      return 'listed';
    case 'sev':
    case 'tag':
    case 'tool':
      return 'row';
    case 'is':
      if (condition.values.includes('watched') || condition.values.includes('gaps')) return 'tables';
      return condition.values.includes('error') ? 'row' : 'listed';
    default:
      return 'tables';
  }
}

/** Whether a search finds none but jobs without matches. */
export function isClean({ filters }: JobSearch): boolean {
  return filters.some(
    ({ condition, negated }) =>
      condition?.key === 'is' && condition.values.length === 1 && condition.values[0] === (negated ? 'hits' : 'clean'),
  );
}

/** As {@link visibleTo} decides, with facets for the index; two accounts may have the same. */
function seenBy(viewer: Actor): Seen | null {
  const each = visibleTo(viewer);
  if (each === undefined) return null;
  const own = viewer.kind === 'account' ? [named('privateOf', viewer.userId)] : [];
  return { each, byIndex: any(flag('public'), ...own) };
}

/** Never null where jobs are concerned, which `not` would keep. */
function filterCondition(context: Asking, { condition: asked, negated }: JobFilter): SQL {
  if (asked === null) return nothing;
  const { vocabulary, manner } = context;
  switch (asked.key) {
    // What a job has one of: to have none of these is to have one of the others.
    case 'status':
      return hasStatus(manner, negated ? jobStatuses.filter((one) => !asked.values.includes(one)) : asked.values);
    case 'type': {
      const types = negated ? logTypes.filter((one) => !asked.values.includes(one)) : asked.values;
      return manner === 'columns'
        ? inArray(jobs.logType, [...types])
        : any(...types.map((type) => named('type', type)));
    }
    case 'workflow': {
      const ids = workflowIds(vocabulary, asked);
      const others = vocabulary.workflows.map(({ id }) => id).filter((id) => !ids.includes(id));
      const these = negated ? others : ids;
      return manner === 'columns'
        ? inArray(jobs.workflowId, these)
        : any(...these.map((id) => numbered('workflow', id)));
    }
    case 'sev': {
      const withThese = (has: 0 | 1): SQL[] =>
        asked.values.map((severity) => any(numbered('severity', 2 * severityRank(severity) + has)));
      return (negated ? and(...withThese(0)) : or(...withThese(1))) ?? nothing;
    }
    // What it may have several of: without these, it has others or nothing.
    case 'tag': {
      const tags = tagFacets(tagIds(vocabulary, asked));
      if (!negated) return any(...tags);
      const others = otherTagIds(vocabulary, asked);
      return hasNone(
        jobs.facets,
        tags,
        manner === 'facets' ? others && [flag('untagged'), ...tagFacets(others)] : null,
      );
    }
    case 'tool': {
      const names = engineNames(vocabulary, asked);
      if (!negated) return any(...toolFacets(names));
      const others = vocabulary.engines.filter((name) => !names.includes(name));
      return hasNone(
        jobs.facets,
        toolFacets(names),
        manner === 'facets' ? [flag('toolless'), ...toolFacets(others)] : null,
      );
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
  { db, viewer, now, manner }: Asking,
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
      if (manner === 'columns') return or(onFile(db, jobs.fileId, asked.values), isHolding(asked)) ?? nothing;
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
      return manner === 'columns' ? isHolding(asked) : inArray(jobs.id, jobsHolding(db, asked));
  }
}

/** Jobs beside the one that is looked at. */
const same = alias(jobs, 'same');

function onFile(db: Database, fileId: Column, beginnings: readonly string[]): SQL {
  const begins = or(...beginnings.map((digits) => like(uploadedFiles.sha256, `${digits}%`)));
  return inArray(fileId, db.select({ id: uploadedFiles.id }).from(uploadedFiles).where(begins));
}

/** Jobs whose results hold a word. */
function jobsHolding(db: Database, asked: Asked<HeldKey>) {
  return db.select({ id: taskResults.jobId }).from(taskResults).where(holds(asked));
}

/** The same of one job, by its own results: as a value, or all jobs with the word would be listed for it. */
function isHolding(asked: Asked<HeldKey>): SQL {
  const own = and(eq(taskResults.jobId, jobs.id), holds(asked));
  return sql`coalesce((select true from ${taskResults} where ${own} limit 1), false)`;
}

function holds({ key, values }: Asked<HeldKey>): SQL {
  const words = values.map((value) => sql`${storableText(heldWord(key, value))}::text`);
  return sql`${taskResults.held} && array[${sql.join(words, sql`, `)}]`;
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

function namePattern({ text, isWildcard }: Asked<'name'>): string {
  const literal = literally(text.toLowerCase());
  return isWildcard ? literal.replaceAll('*', '%') : `%${literal}%`;
}
