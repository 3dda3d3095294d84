import type { JobSearch } from '@svc/application/jobs/job-lists.ts';
import type { SearchCondition } from '@svc/domain';
import { inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { tags, taskResults, workflows } from '../schema/index.ts';
import { rowsOf } from '../rows-of.ts';

/** Things that terms name, as far as a search needs them: found here once, by the rules of one language. */
export interface Vocabulary {
  readonly workflows: readonly { readonly id: number; readonly name: string }[];
  readonly tags: readonly { readonly id: number; readonly name: string }[];
  /** Ids of all there are, where jobs without some are sought; null also where there are more than it helps to know. */
  readonly allTags: readonly number[] | null;
  readonly engines: readonly string[];
}

const mostTags = 100;

/** Reads what the search names. */
export async function vocabularyFor(db: Database, search: JobSearch): Promise<Vocabulary> {
  const filters = [...search.filters, ...(search.alternatives ?? []).flat()];
  const keys = new Set(filters.map(({ condition }) => condition?.key));
  const named = filters.flatMap(({ condition }) => (condition?.key === 'tag' ? condition.values : []));
  const isWithout = filters.some(({ condition, negated }) => negated && condition?.key === 'tag');
  return {
    workflows: keys.has('workflow') ? await db.select({ id: workflows.id, name: workflows.name }).from(workflows) : [],
    tags:
      named.length === 0
        ? []
        : await db.select({ id: tags.id, name: tags.name }).from(tags).where(inArray(tags.name, named)),
    allTags: isWithout ? await allTags(db) : null,
    engines: keys.has('tool') ? await enginesThatRan(db) : [],
  };
}

async function allTags(db: Database): Promise<number[] | null> {
  const rows = await db
    .select({ id: tags.id })
    .from(tags)
    .limit(mostTags + 1);
  return rows.length > mostTags ? null : rows.map(({ id }) => id);
}

/** Names of engines, by name. Goes from each to the next one along the index: there are few, on any number of tasks. */
export async function enginesThatRan(db: Database): Promise<string[]> {
  const { engine } = taskResults;
  const rows = await rowsOf<{ name: string }>(
    db,
    sql`with recursive names(name) as (
      select min(${engine}) from ${taskResults}
      union all
      select (select min(${engine}) from ${taskResults} where ${engine} > names.name) from names where name is not null
    ) select name from names where name is not null`,
  );
  return rows.map(({ name }) => name);
}

type Naming<K extends SearchCondition['key']> = Extract<SearchCondition, { key: K }>;

/** Ids of the tags that a term names. */
export function tagIds({ tags: known }: Vocabulary, { values }: Naming<'tag'>): number[] {
  return known.filter(({ name }) => values.includes(name)).map(({ id }) => id);
}

/** Ids of all other tags, if it helps to know them. */
export function otherTagIds(vocabulary: Vocabulary, asked: Naming<'tag'>): number[] | null {
  const these = tagIds(vocabulary, asked);
  return vocabulary.allTags?.filter((id) => !these.includes(id)) ?? null;
}

/** Ids of the workflows whose name contains any of the values, whatever the case. */
export function workflowIds({ workflows: known }: Vocabulary, { values }: Naming<'workflow'>): number[] {
  return known.filter(({ name }) => contains(name, values)).map(({ id }) => id);
}

/** Engines whose name contains any of the values, whatever the case. */
export function engineNames({ engines }: Vocabulary, { values }: Naming<'tool'>): string[] {
  return engines.filter((name) => contains(name, values));
}

function contains(name: string, values: readonly string[]): boolean {
  return values.some((value) => name.toLowerCase().includes(value.toLowerCase()));
}
