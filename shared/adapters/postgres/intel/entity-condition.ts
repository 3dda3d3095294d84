import {
  hasRole,
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
  entityTags,
  findings,
  foundIn,
  jobs,
  wordsTurned,
} from '../schema/index.ts';
import { isSuppressedWhole } from '../report/finding-columns.ts';
import { flag, hasAny } from '../search/facets.ts';
import { literally } from '../text.ts';
import { caseVisibleTo, visibleTo } from '../visible.ts';
import { entityTotal } from './entity-totals.ts';
import { marksAsked, traitFlags, type Marks, type NamedTags } from './entity-marks.ts';

/** What conditions are made with. */
export interface EntitySearchContext extends NamedTags {
  readonly db: Database;
  readonly viewer: Actor;
  readonly now: Date;
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
  /**
   * The same as it is found: `sql` is what a look at a row tells, and where one of several is enough, lists of ids are what
   * indexes put together.
   */
  readonly found?: SQL;
  /** The same as one of several that are enough. */
  readonly among?: SQL;
  /** The same of `entities`, for which these have an index, where nothing else is asked. */
  readonly alone?: SQL;
  /** The same of `entities`, where something else is asked of these: no row of the other table is looked up then. */
  readonly beside?: SQL;
  /** Ids of all that meet it, each once, where nothing else is asked: an index finds these, and no more than these. */
  readonly list?: SQL;
  /** How many meet it, where that is kept. */
  readonly total?: SQL<number>;
  /** What it is the contrary of: it holds for all others, since nothing of that is unknown. */
  readonly contrary?: Part;
}

type Asked<K extends EntityCondition['key']> = Extract<EntityCondition, { key: K }>;

const nothing = sql`false`;

/** What a query asks of `entities` (resolved-intel 4.3); null for rows of which it cannot be told. */
export function entityCondition(context: EntitySearchContext, node: EntitySearchNode): SQL {
  const part = partOf(context, node);
  const { on, alone, list } = part;
  const condition = asFound(part);
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
  return part.contrary === undefined ? counted(part) : sql`(${entityTotal()} - ${counted(part.contrary)})`;
}

function counted(part: Part): SQL<number> {
  const { on, alone, list, total } = part;
  if (total !== undefined) return total;
  if (list !== undefined) return sql`(select count(*) from (${list}) as met)`;
  const isOfEntities = on === 'entities' || alone !== undefined;
  return sql`(select count(*) from ${isOfEntities ? entities : entitySearch} where ${alone ?? asFound(part)})`;
}

function asFound({ sql: condition, found }: Part): SQL {
  return found ?? condition;
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
  const given = node.of.map((one) => partOf(context, one));
  const on = given.every((part) => part.on === 'search') ? 'search' : 'entities';
  const parts = on === 'search' ? given : given.map((part) => (part.beside ? onEntities(part.beside) : part));
  const joined = (each: (part: Part) => SQL): SQL => {
    const ofSearch = join(...parts.filter((part) => part.on === 'search').map(each)) ?? nothing;
    if (on === 'search') return ofSearch;
    const ofEntities = parts.filter((part) => part.on === 'entities').map(each);
    const isOfBoth = ofEntities.length < parts.length;
    return join(...ofEntities, ...(isOfBoth ? [isFound(context, ofSearch)] : [])) ?? nothing;
  };
  const isOtherwise = parts.some(({ found, among }) => found !== undefined || (join === or && among !== undefined));
  return {
    on,
    sql: joined((part) => part.sql),
    ...(isOtherwise && { found: joined((part) => (join === or && part.among) || asFound(part)) }),
  };
}

function negated(part: Part): Part {
  const condition = not(part.sql);
  const isKnown = part.on === 'search' || part.list !== undefined;
  return {
    on: part.on,
    sql: condition,
    ...(part.beside && { beside: not(part.beside) }),
    ...(isKnown && { contrary: part }),
  };
}

function isFound({ db }: EntitySearchContext, condition: SQL): SQL {
  const own = and(eq(entitySearch.entityId, entities.id), condition);
  return exists(db.select({ id: entitySearch.entityId }).from(entitySearch).where(own));
}

function conditionPart(context: EntitySearchContext, asked: EntityCondition): Part {
  const { now } = context;
  const marks = marksAsked(context, asked);
  const marked = markedPart(context, marks ?? { facets: [], tags: [] });
  switch (asked.key) {
    case 'value':
      return onSearch(like(entitySearch.words, pattern(asked)));
    case 're':
      // The words are lower-case, and the pattern may ask for capitals.
      return onSearch(sql`${entitySearch.words} ~* ${inPostgres(asked.pattern)}`);
    case 'type': {
      const isOne = inArray(entities.type, [...asked.values]);
      return { ...marked, alone: isOne, beside: isOne, total: entityTotal(asked.values) };
    }
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
      return jobPart(context, asked);
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
      if (marks !== null) return { ...marked, ...besideOf(asked.values) };
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

/** Traits that `entities` have as columns, each of them; nothing where one is of another kind. */
function besideOf(traits: readonly EntityTrait[]): Pick<Part, 'beside'> {
  const columns = { watched: entities.isWatched, allowlisted: entities.isAllowlisted } as const;
  const kept = traits.flatMap((trait) => (trait === 'watched' || trait === 'allowlisted' ? [columns[trait]] : []));
  const isAny = kept.length === traits.length ? or(...kept.map((column) => sql`${column}`)) : undefined;
  return isAny === undefined ? {} : { beside: isAny };
}

/** Entities of those of the jobs that the viewer sees; how many is counted by the links alone. */
function jobPart({ db, viewer }: EntitySearchContext, { values }: Asked<'job'>): Part {
  const ofJobs = db
    .select({ id: entityJobLinks.entityId })
    .from(entityJobLinks)
    .innerJoin(jobs, eq(jobs.id, entityJobLinks.jobId))
    .where(and(inArray(entityJobLinks.jobId, [...values]), visibleTo(viewer)));
  const once = new Set(values).size === 1 ? ofJobs : ofJobs.groupBy(entityJobLinks.entityId);
  return { ...onEntities(inArray(entities.id, ofJobs)), list: sql`${once}` };
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

/** What has any of these facets or tags; tags are looked for in `entity_tags` (decision 147). */
function markedPart({ db }: EntitySearchContext, { facets, tags: asked }: Marks): Part {
  if (asked.length === 0) return onSearch(hasAny(entitySearch.facets, facets));
  const { entityId, tagId } = entityTags;
  const isOne = sql`${tagId} = any(array[${sql.raw(asked.join(', '))}])`;
  const carries = exists(
    db
      .select({ tagId })
      .from(entityTags)
      .where(and(eq(entityId, entitySearch.entityId), isOne)),
  );
  const carriers = sql`select ${entityId} from ${entityTags} where ${isOne}`;
  // As an array, for an index to look up: of a list, no index could be put together with others.
  const isCarrier = sql`${entitySearch.entityId} = any(array(${carriers}))`;
  if (facets.length === 0) {
    const once = asked.length === 1 ? carriers : sql`${carriers} group by ${entityId}`;
    return { ...onSearch(carries), among: isCarrier, list: once };
  }
  const marked = hasAny(entitySearch.facets, facets);
  return { ...onSearch(or(marked, carries) ?? nothing), found: or(marked, isCarrier) ?? nothing };
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
