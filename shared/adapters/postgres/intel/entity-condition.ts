import {
  hasRole,
  isTagNamed,
  listKey,
  momentOf,
  patternParts,
  type Actor,
  type EntityCondition,
  type EntitySearchNode,
  type EntityTrait,
  type RuleList,
} from '@svc/domain';
import {
  and,
  between,
  eq,
  exists,
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
import { anArray } from '../arrays.ts';
import type { Database } from '../database.ts';
import {
  alertRules,
  caseEntities,
  cases,
  comments,
  entities,
  entityFindings,
  entityJobLinks,
  entitySearch,
  findings,
  foundIn,
  jobs,
  wordsTurned,
  type tags,
} from '../schema/index.ts';
import { isSuppressedWhole } from '../report/finding-columns.ts';
import { flag, hasAny, named, numbered, type Facet } from '../search/facets.ts';
import { literally } from '../text.ts';
import { caseVisibleTo, visibleTo } from '../visible.ts';

/** What conditions are made with. */
export interface EntitySearchContext {
  readonly db: Database;
  readonly viewer: Actor;
  readonly now: Date;
  /** The tags that the query names, those of a namespace included. */
  readonly tags: readonly Pick<typeof tags.$inferSelect, 'id' | 'name'>[];
  /** The lists that it names and that there are. */
  readonly lists: readonly Pick<RuleList, 'name' | 'match' | 'values'>[];
}

/**
 * A condition on `entities` or on `entity_search`. Those on the latter are put together as long as they can be, so that its
 * indexes decide them at once.
 */
interface Part {
  readonly on: 'entities' | 'search';
  readonly sql: SQL;
  /** The same of `entities`, for which these have an index, where nothing else is asked. */
  readonly alone?: SQL;
  /** Ids of all that meet it, each once, where nothing else is asked: an index finds these, and no more than these. */
  readonly list?: SQL;
  /** What it is the contrary of: it holds for all others, since nothing of that is unknown. */
  readonly contrary?: Part;
}

type Asked<K extends EntityCondition['key']> = Extract<EntityCondition, { key: K }>;

const nothing = sql`false`;

/** What a query asks of `entities` (resolved-intel 4.3); null for rows of which it cannot be told. */
export function entityCondition(context: EntitySearchContext, node: EntitySearchNode): SQL {
  const { on, sql: condition, alone, list } = partOf(context, node);
  if (alone !== undefined) return alone;
  if (list !== undefined) return sql`${entities.id} in (${list})`;
  // By a list, which every index of the other table may make.
  return on === 'entities'
    ? condition
    : inArray(entities.id, context.db.select({ id: entitySearch.entityId }).from(entitySearch).where(condition));
}

/** The same, for entities that are looked at one after the other: no list of all others is made first. */
export function conditionOfEach(context: EntitySearchContext, node: EntitySearchNode): SQL {
  const { on, sql: condition, alone } = partOf(context, node);
  if (alone !== undefined) return alone;
  return on === 'entities'
    ? condition
    : sql`(select ${condition} from ${entitySearch} where ${entitySearch.entityId} = ${entities.id})`;
}

/** How many meet it. `entity_search` has a row of each, so that what is asked of it alone is counted there. */
export function entityCount(context: EntitySearchContext, node: EntitySearchNode): SQL<number> {
  const part = partOf(context, node);
  // Indexes find what is there, and not what is not.
  return part.contrary === undefined
    ? counted(part)
    : sql`((select count(*) from ${entities}) - ${counted(part.contrary)})`;
}

function counted({ on, sql: condition, alone, list }: Part): SQL<number> {
  if (list !== undefined) return sql`(select count(*) from (${list}) as met)`;
  const isOfEntities = on === 'entities' || alone !== undefined;
  return sql`(select count(*) from ${isOfEntities ? entities : entitySearch} where ${alone ?? condition})`;
}

function partOf(context: EntitySearchContext, node: EntitySearchNode): Part {
  if (node.kind === 'not') return negated(partOf(context, node.of));
  if (node.kind === 'term') {
    const { condition, negated: isNegated } = node.term;
    // Unknown, which no `not` makes true.
    if (condition === null) return { on: 'entities', sql: sql`null::boolean` };
    const part = conditionPart(context, condition);
    return isNegated ? negated(part) : part;
  }
  const join = node.kind === 'all' ? and : or;
  const parts = node.of.map((one) => partOf(context, one));
  const ofSearch = parts.filter(({ on }) => on === 'search').map((part) => part.sql);
  if (ofSearch.length === parts.length) return { on: 'search', sql: join(...ofSearch) ?? nothing };
  const ofEntities = parts.filter(({ on }) => on === 'entities').map((part) => part.sql);
  const found = ofSearch.length === 0 ? [] : [isFound(context, join(...ofSearch) ?? nothing)];
  return { on: 'entities', sql: join(...ofEntities, ...found) ?? nothing };
}

function negated(part: Part): Part {
  const condition = not(part.sql);
  const isKnown = part.on === 'search' || part.list !== undefined;
  return { on: part.on, sql: condition, ...(isKnown && { contrary: part }) };
}

function isFound({ db }: EntitySearchContext, condition: SQL): SQL {
  const own = and(eq(entitySearch.entityId, entities.id), condition);
  return exists(db.select({ id: entitySearch.entityId }).from(entitySearch).where(own));
}

/** The facets of which a condition asks for any; null where it asks for something else. */
export function facetsAsked(
  context: Pick<EntitySearchContext, 'tags'>,
  asked: EntityCondition,
): readonly Facet[] | null {
  switch (asked.key) {
    case 'type':
      return asked.values.map((type) => named('type', type));
    case 'attr':
      return asked.values.map((key) => named('attribute', key));
    case 'tag':
      return tagFacets(context, asked.values);
    case 'label':
      return [...asked.attributes.map((key) => named('attribute', key)), ...tagFacets(context, asked.tags)];
    case 'is':
    case 'has': {
      const flags = asked.values.map((trait) => traitFlags[trait]);
      return flags.every((one) => one !== undefined) ? flags.map((one) => flag(one)) : null;
    }
    default:
      return null;
  }
}

/** Traits that `entity_search` tells of. */
const traitFlags: { readonly [T in EntityTrait]?: Parameters<typeof flag>[0] } = {
  watched: 'watched',
  allowlisted: 'allowlisted',
  note: 'noted',
};

function conditionPart(context: EntitySearchContext, asked: EntityCondition): Part {
  const { now } = context;
  const facets = facetsAsked(context, asked);
  const marked = onSearch(hasAny(entitySearch.facets, facets ?? []));
  switch (asked.key) {
    case 'value':
      return onSearch(like(entitySearch.words, pattern(asked)));
    case 're':
      // The words are lower-case, and the pattern may ask for capitals.
      return onSearch(sql`${entitySearch.words} ~* ${inPostgres(asked.pattern)}`);
    case 'type':
      return { ...marked, alone: inArray(entities.type, [...asked.values]) };
    case 'attr':
    case 'tag':
    case 'label':
      return marked;
    case 'id':
      return onEntities(inArray(entities.id, [...asked.values]));
    case 'in':
      return onEntities(inArray(entities.valueKey, [...asked.values]));
    case 'cidr':
      return onEntities(
        and(
          sql`${entities.ipKey} is not null`,
          or(
            ...asked.values.map(({ first, last }) => sql`${entities.ipKey} between ${bytes(first)} and ${bytes(last)}`),
          ),
        ) ?? nothing,
      );
    case 'job':
      return onEntities(inArray(entities.id, ofJobs(context, asked)));
    case 'jobs':
      return onEntities(
        or(
          ...asked.values.map(({ min, max }) =>
            max === null ? gte(entities.jobCount, min) : between(entities.jobCount, min, max),
          ),
        ) ?? nothing,
      );
    case 'seen':
    case 'first': {
      const column = asked.key === 'seen' ? entities.lastSeenAt : entities.firstSeenAt;
      const within = asked.values.map(({ from, to }) =>
        and(
          from === null ? undefined : gte(column, momentOf(from, now)),
          to === null ? undefined : lt(column, momentOf(to, now)),
        ),
      );
      return onEntities(or(...within) ?? nothing);
    }
    case 'list':
      return listPart(context, asked);
    case 'is':
    case 'has':
      if (facets !== null) return marked;
      if (asked.values.every((trait) => trait === 'finding')) return foundPart(context);
      return onEntities(or(...asked.values.map((trait) => traitCondition(context, trait))) ?? nothing);
  }
}

function traitCondition(context: EntitySearchContext, trait: EntityTrait): SQL {
  const { db, viewer } = context;
  switch (trait) {
    case 'watched':
    case 'allowlisted':
    case 'note':
      return isFound(context, hasAny(entitySearch.facets, [flag(traitFlags[trait]!)]));
    case 'comment': {
      const kept = and(eq(comments.entityId, entities.id), isNull(comments.deletedAt));
      return exists(db.select({ id: comments.id }).from(comments).where(kept));
    }
    case 'finding':
      return foundPart(context).sql;
    case 'mine': {
      if (viewer.kind === 'anonymous') return nothing;
      const own = and(isNotNull(alertRules.autoEntityId), eq(alertRules.ownerId, viewer.userId));
      return inArray(entities.id, db.select({ id: alertRules.autoEntityId }).from(alertRules).where(own));
    }
    case 'case': {
      const seen = and(eq(caseEntities.entityId, entities.id), caseVisibleTo(viewer));
      return exists(
        db
          .select({ id: caseEntities.caseId })
          .from(caseEntities)
          .innerJoin(cases, eq(cases.id, caseEntities.caseId))
          .where(seen),
      );
    }
  }
}

/**
 * What a finding names that counts and whose job the viewer sees. Whether any does, or one that all see, stands with the
 * entity; that of the viewer's own private jobs is looked for among their findings.
 */
function foundPart({ db, viewer }: EntitySearchContext): Part {
  const least = hasRole(viewer, 'admin') ? foundIn.privateJobs : foundIn.publicJobs;
  // Not a parameter, or no plan may take the index of what is found.
  const byAll = sql`${entities.found} >= ${sql.raw(String(least))}`;
  const ofAll = sql`select ${entities.id} from ${entities} where ${byAll}`;
  if (hasRole(viewer, 'admin') || viewer.kind !== 'account') return { ...onEntities(byAll), list: ofAll };
  const { entityId, findingId } = entityFindings;
  // From the jobs on, whose findings are few, to what each names.
  const ofOwn = db
    .select({ entityId })
    .from(jobs)
    .innerJoin(findings, eq(findings.jobId, jobs.id))
    .innerJoin(entityFindings, eq(findingId, findings.id))
    .where(and(jobs.isPrivate, eq(jobs.submittedBy, viewer.userId), not(isSuppressedWhole(findingId))));
  const byOwn = inArray(entities.id, ofOwn);
  return {
    ...onEntities(or(byAll, byOwn) ?? nothing),
    list: sql`${ofAll} union all select ${entities.id} from ${entities} where ${byOwn} and not ${byAll}`,
  };
}

/** Entities of those of the jobs that the viewer sees. */
function ofJobs({ db, viewer }: EntitySearchContext, { values }: Asked<'job'>) {
  return db
    .select({ id: entityJobLinks.entityId })
    .from(entityJobLinks)
    .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
    .where(and(inArray(entityJobLinks.jobId, [...values]), visibleTo(viewer)));
}

/** Values that are in a list; each of its entries is looked up in the index. */
function listPart({ lists }: EntitySearchContext, { name }: Asked<'list'>): Part {
  const list = lists.find((one) => one.name === name);
  // Unknown, which no `not` makes true.
  if (list === undefined) return onEntities(sql`null::boolean`);
  const whole = list.values.map((value) => Array.from(listKey(value)).reverse().join(''));
  const isOne = sql`${wordsTurned} = any(${anArray('text', whole)})`;
  if (list.match === 'exact') return onSearch(isOne);
  const ends = list.match === 'suffix' ? whole : whole.map((end) => `${end}.`);
  const below = sql`${entitySearch.entityId} = any(array(${idsBeginning(ends)}))`;
  return onSearch(list.match === 'suffix' ? below : sql`(${isOne} or ${below})`);
}

/**
 * Ids of what begins with any of these, turned round. A part of its own for each, since a database that takes them all to be
 * found by everything reads everything for each; the last condition tells it that few are. As an array, whose making counts
 * for nothing when it is decided how the rest is read.
 */
function idsBeginning(ends: readonly string[]): SQL {
  return sql`
    select found.entity_id from unnest(${anArray('text', ends)}) as entry cross join lateral (
      select ${entitySearch.entityId} from ${entitySearch}
      where ${wordsTurned} >= entry collate "C" and ${wordsTurned} < (entry || chr(1114111)) collate "C"
        and left(${wordsTurned}, length(entry)) = entry
      offset 0) as found`;
}

function tagFacets({ tags: known }: Pick<EntitySearchContext, 'tags'>, names: readonly string[]): Facet[] {
  return known.filter(({ name }) => isTagNamed(name, names)).map(({ id }) => numbered('tag', id));
}

function onSearch(condition: SQL): Part {
  return { on: 'search', sql: condition };
}

function onEntities(condition: SQL): Part {
  return { on: 'entities', sql: condition };
}

function bytes(hexadecimal: string): SQL {
  return sql`decode(${hexadecimal}, 'hex')`;
}

function pattern({ parts, atStart, atEnd }: Asked<'value'>): string {
  const literal = parts.map(literally).join('%');
  return `${atStart ? '' : '%'}${literal}${atEnd ? '' : '%'}`;
}

/**
 * The pattern as PostgreSQL writes it, whose word boundaries have other letters. It matches by an automaton, since nothing is
 * captured: in time that grows with the text alone.
 */
function inPostgres(text: string): string {
  const boundaries: Readonly<Record<string, string>> = {
    [String.raw`\b`]: String.raw`\y`,
    [String.raw`\B`]: String.raw`\Y`,
  };
  return patternParts(text)
    .map((part) => boundaries[part] ?? part)
    .join('');
}
