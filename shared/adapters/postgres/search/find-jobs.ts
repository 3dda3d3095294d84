import type { JobFilter, JobSearch } from '@svc/application/ports/job-lists.ts';
import { hasRole, momentOf, type Actor, type SearchCondition, type SearchTrait } from '@svc/domain';
import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { jobChunks, jobs } from '../schema/index.ts';
import { visibleTo } from '../visible.ts';
import { amountDigits, amountsIn } from './amount.ts';
import {
  conditionOf,
  liveStatuses,
  searchCondition,
  terminalStatuses,
  watchedCondition,
  type SearchContext,
} from './condition.ts';
import type { JobNames, NamePattern } from './job-names.ts';
import { chunkSize, difference, intersection, noJobs, union, type JobSet } from './job-set.ts';
import { readKnownJobs, type KnownJobs, type Span } from './known-jobs.ts';
import { engineNames, tagIds, vocabularyFor, workflowIds } from './vocabulary.ts';

/** What a search finds. */
export interface FoundJobs {
  readonly jobs: JobSet;
  /** When the jobs of each run were created. */
  readonly spans: ReadonlyMap<number, Span>;
  /** Whether anything visible is live. */
  readonly hasLive: boolean;
  /** Changes that are not settled. */
  readonly changes: number;
}

/** Makes a set of what is known. */
type Answer = (known: KnownJobs) => JobSet;

/** Facets and conditions that answers need, noted as they are made. */
class Needs {
  readonly facets = new Set<string>();
  readonly conditions: SQL[] = [];
  asksForNames = false;
  readonly #names: JobNames;

  constructor(names: JobNames) {
    this.#names = names;
  }

  /** Settled jobs that have any of the facets. */
  any(...names: string[]): Answer {
    for (const name of names) this.facets.add(name);
    return (known) => union(names.map((name) => known.facet(name)));
  }

  /** Settled jobs among all whose name is as asked. */
  named(pattern: NamePattern, all: Answer): Answer {
    this.asksForNames = true;
    return (known) => this.#names.named(all(known), pattern);
  }

  /** Jobs that meet the condition. */
  meeting(condition: SQL): Answer {
    const index = this.conditions.push(condition) - 1;
    return (known) => known.meeting(index);
  }
}

/**
 * Finds all visible jobs of a search: by their facets, bitmaps that cost the same whatever they have in them,
 * and by the exact condition for jobs that have changed since these were settled.
 */
export async function findJobs(
  { db, names }: { readonly db: Database; readonly names: JobNames },
  viewer: Actor,
  search: JobSearch,
): Promise<FoundJobs> {
  const context = { db, viewer, now: search.now, vocabulary: await vocabularyFor(db, search) };
  const needs = new Needs(names);
  const all = needs.any('all');
  const visible = visibleJobs(needs, viewer, all);
  const live = needs.any(...liveStatuses.map((status) => `status:${status}`));
  const filters = search.filters.map((filter) => filterAnswer(needs, context, filter, all));
  const sees = visibleTo(viewer);
  const known = await readKnownJobs(db, {
    facets: needs.facets,
    conditions: needs.conditions,
    search: and(sees, searchCondition(context, search)),
    live: and(sees, inArray(jobs.status, liveStatuses)),
  });
  if (needs.asksForNames) await names.know(all(known));
  const seen = difference(visible(known), known.changed);
  const settled = filters.reduce((found, filter) => intersection(found, filter(known)), seen);
  return {
    jobs: union([settled, known.changedMeeting]),
    spans: known.widenedSpans,
    hasLive: known.changedLive.size > 0 || !isEmpty(intersection(seen, live(known))),
    changes: known.changes,
  };
}

function isEmpty(set: JobSet): boolean {
  return [...set.values()].every((bits) => bits.every((byte) => byte === 0));
}

/** The jobs that a viewer may see, as {@link visibleTo} has them. */
function visibleJobs(needs: Needs, viewer: Actor, all: Answer): Answer {
  if (hasRole(viewer, 'admin')) return all;
  const hidden = needs.any('private');
  const open: Answer = (known) => difference(all(known), hidden(known));
  if (viewer.kind === 'anonymous') return open;
  const own = needs.any(`user:${viewer.userId}`);
  return (known) => union([open(known), own(known)]);
}

function filterAnswer(needs: Needs, context: SearchContext, { condition, negated }: JobFilter, all: Answer): Answer {
  if (condition === null) return () => noJobs;
  const answer = conditionAnswer(needs, context, condition, all);
  return negated ? (known) => difference(all(known), answer(known)) : answer;
}

function conditionAnswer(needs: Needs, context: SearchContext, asked: SearchCondition, all: Answer): Answer {
  const { vocabulary } = context;
  switch (asked.key) {
    case 'name':
      return needs.named({ ...asked, text: asked.text.toLowerCase() }, all);
    case 'id':
    case 'sha256':
      return needs.meeting(conditionOf(context, asked));
    case 'tag':
      return needs.any(...tagIds(vocabulary, asked).map((id) => `tag:${id}`));
    case 'workflow':
      return needs.any(...workflowIds(vocabulary, asked).map((id) => `workflow:${id}`));
    case 'tool':
      return needs.any(...engineNames(vocabulary, asked).map((name) => `tool:${name}`));
    case 'status':
    case 'type':
    case 'sev':
      return needs.any(...asked.values.map((value) => `${asked.key}:${value}`));
    case 'findings':
      return amountAnswer(needs, asked, all);
    case 'after':
      return timeAnswer(needs, Math.min(...asked.values.map((one) => momentOf(one, context.now).getTime())), all);
    case 'before': {
      const latest = Math.max(...asked.values.map((one) => momentOf(one, context.now).getTime()));
      const since = timeAnswer(needs, latest, all);
      return (known) => difference(all(known), since(known));
    }
    case 'is':
      return anyOf(asked.values.map((trait) => traitAnswer(needs, context, trait, all)));
  }
}

function anyOf(answers: readonly Answer[]): Answer {
  return (known) => union(answers.map((answer) => answer(known)));
}

function traitAnswer(needs: Needs, { db, viewer }: SearchContext, trait: SearchTrait, all: Answer): Answer {
  const not =
    (answer: Answer): Answer =>
    (known) =>
      difference(all(known), answer(known));
  switch (trait) {
    case 'private':
    case 'error':
    case 'hits':
      return needs.any(trait);
    case 'public':
      return not(needs.any('private'));
    case 'clean':
      return not(needs.any('hits'));
    case 'mine':
      return viewer.kind === 'account' ? needs.any(`user:${viewer.userId}`) : () => noJobs;
    case 'anonymous':
      return needs.any('user:');
    case 'watched':
      return needs.meeting(watchedCondition(db, viewer));
    case 'running':
      return needs.any(...liveStatuses.map((status) => `status:${status}`));
    case 'done':
      return needs.any(...terminalStatuses.map((status) => `status:${status}`));
  }
}

function amountAnswer(needs: Needs, { values }: Extract<SearchCondition, { key: 'findings' }>, all: Answer): Answer {
  // Most ask for any or for none, which one facet tells.
  const hits = needs.any('hits');
  const isPlain = values.every(({ min, max }) => (min <= 1 && max === null) || (min === 0 && max === 0));
  const digits = isPlain ? [] : Array.from({ length: amountDigits }, (_, place) => needs.any(`digit:${place}`));
  return anyOf(
    values.map((range) => (known: KnownJobs): JobSet => {
      if (range.min === 1 && range.max === null) return hits(known);
      if (range.min === 0 && range.max === 0) return difference(all(known), hits(known));
      return amountsIn(range, all(known), (place) => digits[place]?.(known) ?? noJobs);
    }),
  );
}

/** Jobs created at or after a moment: whole runs by their span, and of runs that it falls in, each by its own time. */
function timeAnswer(needs: Needs, at: number, all: Answer): Answer {
  const moment = new Date(at).toISOString();
  const size = sql.raw(String(chunkSize));
  const within = needs.meeting(sql`${jobs.createdAt} >= ${moment} and ${jobs.id} = any(array(
    select id from ${jobChunks}, generate_series(chunk * ${size}, chunk * ${size} + ${size} - 1) as id
    where first_at < ${moment} and last_at >= ${moment}))`);
  return (known) => {
    const whole = [...all(known)].filter(([chunk]) => (known.spans.get(chunk)?.first ?? 0) >= at);
    return union([new Map(whole), within(known)]);
  };
}
