import type { AskedEntities, EntityQuestion, Matched, RuleMatches } from '@svc/application/alerts/rule-matches.ts';
import type { JobSearch } from '@svc/application/jobs/job-lists.ts';
import type { Actor, EntityType } from '@svc/domain';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { reasonOf } from '../errors.ts';
import { entityCondition } from '../intel/entity-condition.ts';
import { searchContext } from '../intel/search-condition.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityJobLinks, entitySearch, jobs, wordsTurnedAtHand } from '../schema/index.ts';
import { searchConditions } from '../search/condition.ts';
import { vocabularyFor } from '../search/vocabulary.ts';

/** Characters of one statement: a little less than what a proxy takes without keeping the connection (decision 86). */
const mostText = 15_000;
const dialect = new PgDialect({ casing: 'snake_case' });

export class PgRuleMatches implements RuleMatches {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async typesOf(jobId: number): Promise<EntityType[]> {
    const rows = await rowsOf<{ type: EntityType }>(
      this.#db,
      sql`select distinct e.type from ${entityJobLinks} l join ${entities} e on e.id = l.entity_id where l.job_id = ${jobId}`,
    );
    return rows.map(({ type }) => type);
  }

  async endOf(after: number, limit: number): Promise<number | null> {
    const [row] = await rowsOf<{ id: number | null }>(
      this.#db,
      sql`select max(id) as id from (select id from ${entities} where id > ${after} order by id limit ${limit}) as next`,
    );
    return row?.id ?? null;
  }

  async entities(asked: AskedEntities, questions: readonly EntityQuestion[], now: Date): Promise<Matched[]> {
    const branches: (readonly [number, Branch])[] = [];
    const found: Matched[] = questions.map(() => []);
    for (const [place, question] of questions.entries()) {
      try {
        branches.push([place, await this.#branchOf(question, now)]);
      } catch (error) {
        // Of a time that no date has, for example.
        found[place] = asError(error);
      }
    }
    for (const chunk of chunksOf(branches)) await this.#answer(asked, chunk, found);
    return found;
  }

  async job(jobId: number, viewer: Actor, search: JobSearch): Promise<boolean | Error> {
    return this.#attempt(async (db) => {
      const vocabulary = await vocabularyFor(db, search);
      const { during, ways } = searchConditions({ db, viewer, now: search.now, vocabulary }, search);
      return (await db.$count(jobs, and(eq(jobs.id, jobId), during, ways.each))) > 0;
    });
  }

  async #branchOf({ viewer, root, types, entityId, limit }: EntityQuestion, now: Date): Promise<Branch> {
    const context = await searchContext(this.#db, viewer, { root, now });
    const condition =
      entityId === null
        ? root && entityCondition({ ...context, isJoined: true }, root)
        : sql`${entities.id} = ${entityId}`;
    return { types: [...types].sort(), condition: condition ?? sql`true`, limit };
  }

  /** All in one statement; where that fails, each by itself. */
  async #answer(asked: AskedEntities, places: readonly (readonly [number, Branch])[], found: Matched[]): Promise<void> {
    const rows = await this.#attempt((db) => rowsOf<{ place: number; ids: number[] }>(db, statementOf(asked, places)));
    if (!(rows instanceof Error)) for (const { place, ids } of rows) found[place] = ids;
    else if (places.length > 1) for (const place of places) await this.#answer(asked, [place], found);
    else found[places[0]![0]] = rows;
  }

  /** Within the transaction, which goes on when this fails. */
  async #attempt<T>(work: (db: Database) => Promise<T>): Promise<T | Error> {
    try {
      return await this.#db.transaction(work);
    } catch (error) {
      return asError(reasonOf(error));
    }
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** What is asked of a question's rows, which have the columns of `entities` and `entity_search`. */
interface Branch {
  readonly types: readonly EntityType[];
  readonly condition: SQL;
  readonly limit: number;
}

/** As many questions as one statement has room for. */
function chunksOf(branches: readonly (readonly [number, Branch])[]): (readonly [number, Branch])[][] {
  const chunks: [number, Branch][][] = [];
  let room = 0;
  for (const [place, branch] of branches) {
    const length = textOf(branch.condition).length + aroundBranch;
    if (length > room) {
      chunks.push([]);
      room = mostText;
    }
    room -= length;
    chunks.at(-1)!.push([place, branch]);
  }
  return chunks;
}

/** Characters of a statement for each of its questions, beside its condition; the lists of types included. */
const aroundBranch = 125;

function textOf(condition: SQL): string {
  return dialect.sqlToQuery(condition).sql;
}

/** What conditions may ask of a row. */
const columns = [
  ['value_key', 'e.value_key'],
  ['ip_key', 'e.ip_key'],
  ['job_count', 'e.job_count'],
  ['first_seen_at', 'e.first_seen_at'],
  ['last_seen_at', 'e.last_seen_at'],
  ['words', 'e.value_key as words'],
  ['facets', 'entity_search.facets'],
  ['turned', sql`${wordsTurnedAtHand} as turned`],
] as const;

/**
 * The rows are read once, with what is asked of them alone, and lie there by type, so that a rule looks at those of its types.
 * They are called as the tables are of which the conditions speak, and are searched in order, so that a limit always cuts the
 * same ones.
 */
function statementOf(asked: AskedEntities, places: readonly (readonly [number, Branch])[]): SQL {
  const lists = [...new Set(places.flatMap(([, { types }]) => (types.length === 0 ? [] : [types.join()])))];
  const nameOf = (types: readonly EntityType[]): string =>
    types.length === 0 ? 'named' : `of_${lists.indexOf(types.join())}`;
  const byType = lists.map((list, nth) => {
    const types = anArray('text', list.split(','));
    return sql`,${sql.raw(`of_${nth}`)} as materialized(select * from named where type = any(${types}))`;
  });
  // As short as it can be, so that one statement has many.
  const answers = places.map(([place, { types, condition, limit }]) => {
    const text = textOf(condition);
    const table = nameOf(types);
    let from = `id from ${table} entity_search`;
    if (text.includes('"entities"')) {
      from = text.includes('entity_search')
        ? `entities.id from ${table} entities,lateral(select entities.*)entity_search`
        : `id from ${table} entities`;
    }
    return sql`(select ${sql.raw(String(place))} place,array(select ${sql.raw(from)} where ${condition} limit ${sql.raw(String(limit))})ids)`;
  });
  const which =
    'jobId' in asked
      ? sql`${entityJobLinks} l join ${entities} e on e.id = l.entity_id and l.job_id = ${asked.jobId}`
      : sql`(select * from ${entities} where id > ${asked.after} and id <= ${asked.upTo}) e`;
  const all = places.map(([, { condition }]) => textOf(condition)).join(' ');
  const used = columns.filter(([name]) => all.includes(name));
  const read = used.map(([, column]) => (typeof column === 'string' ? sql.raw(`,${column}`) : sql`,${column}`));
  return sql`
    with named as materialized (
      select e.id, e.type, e.id as entity_id${sql.join(read)}
      from ${which} join ${entitySearch} on entity_search.entity_id = e.id order by e.id)${sql.join(byType)}
    ${sql.join(answers, sql`union all`)}`;
}
