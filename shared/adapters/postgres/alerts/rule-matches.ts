import type {
  AskedCondition,
  AskedEntities,
  Matched,
  RuledEntity,
  RuleMatches,
} from '@svc/application/alerts/rule-matches.ts';
import type { EntityCondition, EntitySearchNode, EntityType } from '@svc/domain';
import { and, eq, exists, sql, type SQL } from 'drizzle-orm';
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import { reasonOf } from '../errors.ts';
import { conditionOfEach } from '../intel/entity-condition.ts';
import { marksAsked, type Marks } from '../intel/entity-marks.ts';
import { searchContext } from '../intel/search-condition.ts';
import { rowsOf } from '../rows-of.ts';
import { entities, entityJobLinks, entitySearch, entityTags, jobs } from '../schema/index.ts';
import { searchConditions } from '../search/condition.ts';
import { vocabularyFor } from '../search/vocabulary.ts';

export class PgRuleMatches implements RuleMatches {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async endOf(after: number, limit: number): Promise<number | null> {
    const [row] = await rowsOf<{ id: number | null }>(
      this.#db,
      sql`select max(id) as id from (select id from ${entities} where id > ${after} order by id limit ${limit}) as next`,
    );
    return row?.id ?? null;
  }

  async entities(asked: AskedEntities): Promise<RuledEntity[]> {
    // A row of each type, whose columns are lists as JSON: drivers take several times as long for a row of each entity.
    const rows = await rowsOf<{
      type: EntityType;
      ids: number[];
      keys: string[];
      addresses: (string | null)[];
      counts: number[];
      first: number[];
      last: number[];
    }>(
      this.#db,
      sql`
      select e.type, ${list(sql`e.id`)} as ids, ${list(sql`e.value_key`)} as keys,
        ${list(sql`encode(e.ip_key, 'hex')`)} as addresses, ${list(sql`e.job_count`)} as counts,
        ${list(time(sql`e.first_seen_at`))} as first, ${list(time(sql`e.last_seen_at`))} as last
      from (select e.* from ${entities} e where e.id in (${idsOf(asked)}) order by e.id) e group by e.type`,
    );
    const found = rows.flatMap(({ type, ids, keys, addresses, counts, first, last }) =>
      ids.map((id, place) => ({
        id,
        type,
        value: keys[place]!,
        key: keys[place]!,
        address: addresses[place]!,
        jobCount: counts[place]!,
        firstSeenAt: new Date(first[place]!),
        lastSeenAt: new Date(last[place]!),
      })),
    );
    return found.sort((a, b) => a.id - b.id);
  }

  async meeting(asked: AskedEntities, wanted: readonly AskedCondition[], now: Date): Promise<Matched[]> {
    const [first] = wanted;
    if (first === undefined) return [];
    const root = { kind: 'any' as const, of: wanted.map(({ condition }) => asNode(condition)) };
    const shared = await searchContext(this.#db, first.viewer, { root, now });
    const found: Matched[] = wanted.map(() => []);
    const byMarks: (Marks & { readonly place: number })[] = [];
    for (const [place, { viewer, condition }] of wanted.entries()) {
      const context = { ...shared, viewer };
      const marks = marksAsked(context, condition);
      const isMet = conditionOfEach(context, asNode(condition));
      const ids = sql`select id from ${entities} where id in (${idsOf(asked)}) and ${isMet}`;
      if (marks !== null) byMarks.push({ place, ...marks });
      else found[place] = await this.#attempt((db) => idsIn(db, ids));
    }
    for (const { place, ids } of await this.#marked(asked, byMarks)) found[place] = ids;
    return found;
  }

  async job(jobId: number, asked: Parameters<RuleMatches['job']>[1]): Promise<(boolean | Error)[]> {
    if (asked.length === 0) return [];
    const met = await this.#attempt(async (db) => {
      const each: SQL[] = [];
      for (const { viewer, search } of asked) {
        const vocabulary = await vocabularyFor(db, search);
        const { during, ways } = searchConditions({ db, viewer, now: search.now, vocabulary }, search);
        each.push(
          exists(
            db
              .select({ id: jobs.id })
              .from(jobs)
              .where(and(eq(jobs.id, jobId), during, ways.each)),
          ),
        );
      }
      const [row] = await rowsOf<{ met: boolean[] }>(
        db,
        sql`select array_to_json(array[${sql.join(each, sql`, `)}]) as met`,
      );
      return row!.met;
    });
    if (!(met instanceof Error)) return met;
    if (asked.length === 1) return [met];
    // One of them keeps the others from their answers.
    const answers: (boolean | Error)[] = [];
    for (const one of asked) answers.push(...(await this.job(jobId, [one])));
    return answers;
  }

  /** All in one pass over what each entity has; what has several marks that a place asks for may be named several times. */
  async #marked(
    asked: AskedEntities,
    wanted: readonly (Marks & { readonly place: number })[],
  ): Promise<readonly { place: number; ids: number[] }[]> {
    const valuesOf = (kind: keyof Marks) =>
      wanted.flatMap(({ place, [kind]: marks }) =>
        marks.map((mark) => sql`(${sql.raw(String(place))}, ${mark}::integer)`),
      );
    const [facets, tags] = [valuesOf('facets'), valuesOf('tags')];
    const those = sql`(${idsOf(asked)}) asked(id)`;
    // Each of these few is looked up; `offset 0` keeps PostgreSQL from reading the whole table instead.
    const joined = (table: SQL, id: SQL, column: SQL) =>
      'ids' in asked
        ? sql`cross join lateral (select ${column} from ${table} where ${id} = asked.id offset 0) its`
        : sql`join (select ${id} as id, ${column} from ${table}) its using (id)`;
    const marked = [
      ...(facets.length === 0
        ? []
        : [
            sql`select wanted.place, asked.id from ${those} ${joined(sql`${entitySearch}`, sql`entity_id`, sql`facets`)}
                cross join unnest(its.facets) mark join (values ${sql.join(facets, sql`, `)}) wanted(place, mark) using (mark)`,
          ]),
      ...(tags.length === 0
        ? []
        : [
            sql`select wanted.place, asked.id from ${those} ${joined(sql`${entityTags}`, sql`entity_id`, sql`tag_id`)}
                join (values ${sql.join(tags, sql`, `)}) wanted(place, mark) on wanted.mark = its.tag_id`,
          ]),
    ];
    if (marked.length === 0) return [];
    return rowsOf(
      this.#db,
      sql`select place, ${list(sql`id`)} as ids from (${sql.join(marked, sql` union all `)}) marked group by place`,
    );
  }

  /** Within the transaction, which goes on when this fails. */
  async #attempt<T>(work: (db: Database) => Promise<T>): Promise<T | Error> {
    try {
      return await this.#db.transaction(work);
    } catch (error) {
      const reason = reasonOf(error);
      return reason instanceof Error ? reason : new Error(String(reason));
    }
  }
}

async function idsIn(db: Database, statement: SQL): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(db, statement);
  return rows.map(({ id }) => id);
}

function asNode(condition: EntityCondition): EntitySearchNode {
  return { kind: 'term', term: { start: 0, end: 0, text: '', negated: false, key: null, condition } };
}

function idsOf(asked: AskedEntities): SQL {
  if ('jobId' in asked) return sql`select entity_id as id from ${entityJobLinks} where job_id = ${asked.jobId}`;
  if ('ids' in asked) return sql`select unnest(${anArray('integer', asked.ids)}) as id`;
  return sql`select id from ${entities} where id > ${asked.after} and id <= ${asked.upTo}`;
}

function list(column: SQL): SQL {
  return sql`array_to_json(array_agg(${column}))`;
}

/** In milliseconds since 1970. */
function time(moment: SQL): SQL {
  return sql`(date_part('epoch', ${moment}) * 1000)::bigint`;
}
