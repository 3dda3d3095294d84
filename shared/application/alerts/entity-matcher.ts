import {
  entityConditionTest,
  entitySearchTest,
  isTagNamed,
  listMatcher,
  type Actor,
  type EntityCondition,
  type EntitySearchNode,
  type EntityTest,
  type EntityType,
} from '@svc/domain';
import { nativeRegex, type NativeRegex } from '@svc/engine';
import type { TransactionPorts } from '../ports/transaction.ts';
import type { AskedCondition, AskedEntities, Matched, RuledEntity } from './rule-matches.ts';

/** What a rule asks of entities. */
export interface EntityQuestion {
  /** By whose view of jobs and cases it is asked. */
  readonly viewer: Actor;
  /** Null for all. */
  readonly root: EntitySearchNode | null;
  /** None for all. */
  readonly types: readonly EntityType[];
}

export interface EntitiesAtHand {
  readonly asked: AskedEntities;
  /** Those, as they were read. */
  readonly entities: readonly RuledEntity[];
  readonly now: Date;
}

type Ports = Pick<TransactionPorts, 'ruleLists' | 'ruleMatches'>;
type Test = EntityTest<RuledEntity>;

/** Steps that a pattern may take over one value here; the database takes what may need more. */
const mostSteps = 100_000;

/**
 * Holds these questions against entities that are read once (decision 135). What values, times and numbers say is decided
 * here; what else there is to know of an entity is asked of the database, once for all questions.
 */
export async function matchEach(
  { ruleLists, ruleMatches }: Ports,
  atHand: EntitiesAtHand,
  questions: readonly EntityQuestion[],
): Promise<EntityMatcher> {
  const asked = questions.flatMap(({ viewer, root }) =>
    conditionsIn(root).map((condition): AskedCondition => ({ viewer, condition })),
  );
  const names = asked.flatMap(({ condition }) => (condition.key === 'list' ? [condition.name] : []));
  const named = names.length === 0 ? [] : await ruleLists.named([...new Set(names)]);
  const lists = new Map(named.map((list) => [list.name, listMatcher(list)]));
  const matcher = new EntityMatcher(atHand.entities);
  let values: Values | undefined;
  const open = new Map<string, AskedCondition[]>();
  for (const one of asked) {
    const { viewer, condition } = one;
    if (condition.key === 're') {
      values ??= valuesOf(atHand.entities);
      matcher.decide(condition, await patternTest(ruleMatches, { ...atHand, values }, { viewer, condition }));
    } else if (condition.key === 'list') matcher.decide(condition, listTest(lists.get(condition.name)));
    else if (ofDatabase.has(condition.key)) open.set(nameOf(one), [...(open.get(nameOf(one)) ?? []), one]);
    else
      matcher.decide(
        condition,
        attempt(() => entityConditionTest(condition, atHand.now)),
      );
  }
  const groups = [...open.values()];
  const found = await ruleMatches.meeting(
    atHand.asked,
    groups.map(([first]) => first!),
    atHand.now,
  );
  for (const [place, group] of groups.entries()) {
    const ids = found[place]!;
    for (const { condition } of group) matcher.decideBy(condition, ids instanceof Error ? ids : new Set(ids));
  }
  return matcher;
}

/** What is not said by the value of an entity, its times and its numbers. */
const ofDatabase: ReadonlySet<EntityCondition['key']> = new Set(['tag', 'attr', 'label', 'job', 'is', 'has']);

export class EntityMatcher {
  readonly #entities: readonly RuledEntity[];
  readonly #byType = new Map<EntityType, RuledEntity[]>();
  readonly #tests = new Map<EntityCondition, Test | Error>();
  readonly #tagged: { readonly names: readonly string[]; readonly ids: Set<number> }[] = [];

  constructor(entities: readonly RuledEntity[]) {
    this.#entities = entities;
    for (const entity of entities) {
      const ofType = this.#byType.get(entity.type);
      if (ofType) ofType.push(entity);
      else this.#byType.set(entity.type, [entity]);
    }
  }

  /** How a condition is decided, or why it cannot be. */
  decide(condition: EntityCondition, test: Test | Error): void {
    this.#tests.set(condition, test);
  }

  /** It holds for these, and for what is given a tag that it asks for. */
  decideBy(condition: EntityCondition, ids: Set<number> | Error): void {
    this.decide(condition, ids instanceof Error ? ids : ({ id }) => ids.has(id));
    const names = tagsAsked(condition);
    if (names.length > 0 && !(ids instanceof Error)) this.#tagged.push({ names, ids });
  }

  /** The first of those that meet a question, by their ids. */
  meeting({ root, types }: Pick<EntityQuestion, 'root' | 'types'>, most: number): Matched {
    const test = root && attempt(() => entitySearchTest(root, (condition) => this.#testOf(condition)));
    if (test instanceof Error) return test;
    const found: number[] = [];
    for (const entity of this.#of(types)) {
      if (found.length === most) break;
      if (test === null || test(entity) === true) found.push(entity.id);
    }
    return found;
  }

  /** Entities carry a tag from now on. */
  tag(name: string, entityIds: readonly number[]): void {
    for (const { names, ids } of this.#tagged) {
      if (isTagNamed(name, names)) for (const id of entityIds) ids.add(id);
    }
  }

  #of(types: readonly EntityType[]): readonly RuledEntity[] {
    if (types.length === 0) return this.#entities;
    if (types.length === 1) return this.#byType.get(types[0]!) ?? [];
    return this.#entities.filter(({ type }) => types.includes(type));
  }

  #testOf(condition: EntityCondition): Test {
    const test = this.#tests.get(condition)!;
    if (test instanceof Error) throw test;
    return test;
  }
}

/** By the matcher of the platform where that agrees with the database's and cannot take long; else the database's. */
async function patternTest(
  ruleMatches: Ports['ruleMatches'],
  { asked, entities, now, values }: EntitiesAtHand & { readonly values: Values },
  one: AskedCondition & { readonly condition: Extract<EntityCondition, { key: 're' }> },
): Promise<Test | Error> {
  const { pattern } = one.condition;
  const native = nativeOf(pattern);
  const isPlain = ({ id, key }: RuledEntity) =>
    native !== null && key.length <= native.longest && !values.beyondAscii.has(id);
  const areAllPlain = native !== null && values.longest <= native.longest && values.beyondAscii.size === 0;
  const others = areAllPlain ? [] : entities.filter((entity) => !isPlain(entity)).map(({ id }) => id);
  if (native !== null && others.length === 0) return ({ key }) => native.regex.test(key);
  const which = others.length === entities.length ? asked : { ids: others };
  const [found] = await ruleMatches.meeting(which, [one], now);
  if (found instanceof Error) return found;
  const ids = new Set(found);
  return (entity) => (isPlain(entity) ? native!.regex.test(entity.key) : ids.has(entity.id));
}

/** Patterns by their source: rules ask the same ones of every job. */
const compiled = new Map<string, NativeRegex | null>();
const mostCompiled = 1000;

function nativeOf(pattern: string): NativeRegex | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const native = isAscii(pattern) ? nativeRegex(pattern, 'is', mostSteps) : null;
  if (compiled.size === mostCompiled) compiled.clear();
  compiled.set(pattern, native);
  return native;
}

/** What patterns have to know of values, looked at once for all of them. */
interface Values {
  readonly beyondAscii: ReadonlySet<number>;
  readonly longest: number;
}

function valuesOf(entities: readonly RuledEntity[]): Values {
  const beyondAscii = entities.filter(({ key }) => !isAscii(key)).map(({ id }) => id);
  return {
    beyondAscii: new Set(beyondAscii),
    longest: entities.reduce((longest, { key }) => Math.max(longest, key.length), 0),
  };
}

/** A list that is not there is unknown, which no `not` makes true. */
function listTest(has: ((value: string) => boolean) | undefined): Test {
  return has === undefined ? () => null : ({ key }) => has(key);
}

/** Tags that a condition asks for, by name or namespace. */
function tagsAsked(condition: EntityCondition): readonly string[] {
  return condition.key === 'tag' ? condition.values : condition.key === 'label' ? condition.tags : [];
}

function conditionsIn(node: EntitySearchNode | null): readonly EntityCondition[] {
  if (node === null) return [];
  if (node.kind === 'term') return node.term.condition === null ? [] : [node.term.condition];
  return [node.of].flat().flatMap(conditionsIn);
}

function nameOf({ viewer, condition }: AskedCondition): string {
  return JSON.stringify([viewer, condition]);
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /^[\0-\x7f]*$/.test(text);
}

/** Of a time that no date has, for example. */
function attempt<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
