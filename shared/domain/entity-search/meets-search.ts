import type { EntityType } from '../entity.ts';
import { momentOf, type SearchMoment } from '../search/conditions.ts';
import type { EntityCondition } from './conditions.ts';
import type { EntityAttributeKey, EntityTrait } from './keys.ts';
import { addressBytes } from './networks.ts';
import type { EntitySearchNode } from './parse-entity-search.ts';

/** What a search asks of one entity, as far as whoever looks at it knows; what is left out is not known. */
export interface SearchedEntity {
  readonly id?: number | undefined;
  readonly type: EntityType;
  readonly value: string;
  /** The value in lower case, and an address as `addressBytes` writes it; worked out where they are left out. */
  readonly key?: string | undefined;
  readonly address?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly attributes?: readonly EntityAttributeKey[] | undefined;
  readonly traits?: readonly EntityTrait[] | undefined;
  readonly jobs?: readonly number[] | undefined;
  readonly lists?: readonly string[] | undefined;
  readonly jobCount?: number | undefined;
  readonly firstSeenAt?: Date | undefined;
  readonly lastSeenAt?: Date | undefined;
}

/**
 * Whether an entity meets something; null where that cannot be told, since a term is of no use or asks what is not known.
 * As in a database, what is null stays null when negated.
 */
export type EntityTest<E = SearchedEntity> = (entity: E) => boolean | null;

export function meetsEntitySearch(node: EntitySearchNode, entity: SearchedEntity, now: Date): boolean | null {
  return entitySearchTest(node, (condition) => entityConditionTest(condition, now))(entity);
}

/** What a search asks, made once for many entities of what its conditions ask. */
export function entitySearchTest<E>(
  node: EntitySearchNode,
  testOf: (condition: EntityCondition) => EntityTest<E>,
): EntityTest<E> {
  if (node.kind === 'not') return contrary(entitySearchTest(node.of, testOf));
  if (node.kind === 'term') {
    const { condition, negated } = node.term;
    if (condition === null) return () => null;
    return negated ? contrary(testOf(condition)) : testOf(condition);
  }
  const decided = node.kind === 'any';
  const tests = node.of.map((one) => entitySearchTest(one, testOf));
  return (entity) => {
    let isUnknown = false;
    for (const test of tests) {
      const meets = test(entity);
      if (meets === decided) return decided;
      isUnknown ||= meets === null;
    }
    return isUnknown ? null : !decided;
  };
}

/** Whether a value, lower-case, has these parts in their order. */
export function hasParts(value: string, { parts, atStart, atEnd }: EntityCondition & { key: 'value' }): boolean {
  let at = 0;
  for (let place = 0; place < parts.length; place += 1) {
    const part = parts[place]!;
    const isLast = place === parts.length - 1;
    if (isLast && atEnd)
      return value.endsWith(part) && value.length - part.length >= at && (place > 0 || !atStart || value === part);
    const found = value.indexOf(part, at);
    if (found < 0 || (place === 0 && atStart && found > 0)) return false;
    at = found + part.length;
  }
  return true;
}

/** What one condition asks. */
export function entityConditionTest(condition: EntityCondition, now: Date): EntityTest {
  switch (condition.key) {
    case 'value': {
      const { parts, atStart, atEnd } = condition;
      const [only = ''] = parts;
      // Most are words, which many values are held against.
      if (parts.length === 1 && !atStart && !atEnd) return (entity) => keyOf(entity).includes(only);
      return (entity) => hasParts(keyOf(entity), condition);
    }
    case 'tag':
      return (entity) => hasTag(entity, condition.values);
    case 'attr':
      return (entity) => hasAttribute(entity, condition.values);
    case 'label':
      return (entity) => {
        const isOfValue = hasAttribute(entity, condition.attributes);
        const isTagged = hasTag(entity, condition.tags);
        return isOfValue === true || isTagged === true ? true : isOfValue === null || isTagged === null ? null : false;
      };
    case 'id': {
      const ids = new Set(condition.values);
      return ({ id }) => (id === undefined ? null : ids.has(id));
    }
    case 'type':
      return ({ type }) => condition.values.includes(type);
    case 'in': {
      const keys = new Set(condition.values);
      return (entity) => keys.has(keyOf(entity));
    }
    case 're': {
      // As in the database, a dot is any character.
      const pattern = new RegExp(condition.pattern, 'is');
      return ({ value }) => pattern.test(value);
    }
    case 'cidr':
      return (entity) => {
        const address = addressOf(entity);
        return address !== null && condition.values.some(({ first, last }) => first <= address && address <= last);
      };
    case 'list':
      return ({ lists }) => lists?.includes(condition.name) ?? null;
    case 'job':
      return ({ jobs }) => (jobs === undefined ? null : condition.values.some((id) => jobs.includes(id)));
    case 'jobs':
      return ({ jobCount }) =>
        jobCount === undefined
          ? null
          : condition.values.some(({ min, max }) => min <= jobCount && (max === null || jobCount <= max));
    case 'seen':
    case 'first': {
      const bounds = condition.values.map(({ from, to }) => ({
        from: from === null ? Number.NEGATIVE_INFINITY : timeOf(from, now),
        to: to === null ? Number.POSITIVE_INFINITY : timeOf(to, now),
      }));
      const isSeen = condition.key === 'seen';
      return ({ firstSeenAt, lastSeenAt }) => {
        const at = (isSeen ? lastSeenAt : firstSeenAt)?.getTime();
        return at === undefined ? null : bounds.some(({ from, to }) => from <= at && at < to);
      };
    }
    case 'is':
    case 'has':
      return ({ traits }) => (traits === undefined ? null : condition.values.some((trait) => traits.includes(trait)));
  }
}

function keyOf({ key, value }: SearchedEntity): string {
  return key ?? value.toLowerCase();
}

function addressOf({ address, type, value }: SearchedEntity): string | null {
  if (address !== undefined) return address;
  return type === 'ip_address' ? addressBytes(value) : null;
}

function timeOf(moment: SearchMoment, now: Date): number {
  const time = momentOf(moment, now).getTime();
  if (Number.isNaN(time)) throw new RangeError('there is no such time');
  return time;
}

function hasAttribute({ attributes }: SearchedEntity, keys: readonly EntityAttributeKey[]): boolean | null {
  return attributes === undefined ? null : keys.some((key) => attributes.includes(key));
}

function hasTag({ tags }: SearchedEntity, names: readonly string[]): boolean | null {
  return tags === undefined ? null : tags.some((tag) => isTagNamed(tag, names));
}

/** Whether a tag is one of those that a search asks for, by name or namespace. */
export function isTagNamed(tag: string, names: readonly string[]): boolean {
  return names.some((name) => (name.endsWith('/') ? tag.startsWith(name) : tag === name));
}

function contrary<E>(test: EntityTest<E>): EntityTest<E> {
  return (entity) => {
    const meets = test(entity);
    return meets === null ? null : !meets;
  };
}
