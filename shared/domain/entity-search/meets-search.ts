import type { EntityType } from '../entity.ts';
import { momentOf } from '../search/conditions.ts';
import type { EntityCondition } from './conditions.ts';
import type { EntityAttributeKey, EntityTrait } from './keys.ts';
import { addressBytes } from './networks.ts';
import type { EntitySearchNode } from './parse-entity-search.ts';

/** What a search asks of one entity, as far as whoever looks at it knows; what is left out is not known. */
export interface SearchedEntity {
  readonly id?: number | undefined;
  readonly type: EntityType;
  readonly value: string;
  readonly tags: readonly string[];
  readonly attributes: readonly EntityAttributeKey[];
  readonly traits?: readonly EntityTrait[] | undefined;
  readonly jobs?: readonly number[] | undefined;
  readonly lists?: readonly string[] | undefined;
  readonly jobCount?: number | undefined;
  readonly firstSeenAt?: Date | undefined;
  readonly lastSeenAt?: Date | undefined;
}

/**
 * Whether an entity meets a search; null where that cannot be told, since a term is of no use or asks what is not known. As
 * in a database, what is null stays null when negated.
 */
export function meetsEntitySearch(node: EntitySearchNode, entity: SearchedEntity, now: Date): boolean | null {
  if (node.kind === 'not') return negated(meetsEntitySearch(node.of, entity, now));
  if (node.kind === 'term') {
    const { condition, negated: isNegated } = node.term;
    const meets = condition === null ? null : meetsCondition(condition, entity, now);
    return isNegated ? negated(meets) : meets;
  }
  const decided = node.kind === 'any';
  let isUnknown = false;
  for (const one of node.of) {
    const meets = meetsEntitySearch(one, entity, now);
    if (meets === decided) return decided;
    isUnknown ||= meets === null;
  }
  return isUnknown ? null : !decided;
}

/** Whether a value, lower-case, has these parts in their order. */
export function hasParts(value: string, { parts, atStart, atEnd }: EntityCondition & { key: 'value' }): boolean {
  let at = 0;
  for (const [place, part] of parts.entries()) {
    const isLast = place === parts.length - 1;
    if (isLast && atEnd)
      return value.endsWith(part) && value.length - part.length >= at && (place > 0 || !atStart || value === part);
    const found = value.indexOf(part, at);
    if (found < 0 || (place === 0 && atStart && found > 0)) return false;
    at = found + part.length;
  }
  return true;
}

function meetsCondition(condition: EntityCondition, entity: SearchedEntity, now: Date): boolean | null {
  const value = entity.value.toLowerCase();
  switch (condition.key) {
    case 'value':
      return hasParts(value, condition);
    case 'tag':
      return hasTag(entity, condition.values);
    case 'attr':
      return condition.values.some((key) => entity.attributes.includes(key));
    case 'label':
      return condition.attributes.some((key) => entity.attributes.includes(key)) || hasTag(entity, condition.tags);
    case 'id':
      return entity.id === undefined ? null : condition.values.includes(entity.id);
    case 'type':
      return condition.values.includes(entity.type);
    case 'in':
      return condition.values.includes(value);
    case 're':
      return new RegExp(condition.pattern, 'i').test(entity.value);
    case 'cidr': {
      const address = entity.type === 'ip_address' ? addressBytes(entity.value) : null;
      return address !== null && condition.values.some(({ first, last }) => first <= address && address <= last);
    }
    case 'list':
      return entity.lists?.includes(condition.name) ?? null;
    case 'job':
      return entity.jobs === undefined ? null : condition.values.some((id) => entity.jobs!.includes(id));
    case 'jobs': {
      const count = entity.jobCount;
      return count === undefined
        ? null
        : condition.values.some(({ min, max }) => min <= count && (max === null || count <= max));
    }
    case 'seen':
    case 'first': {
      const at = condition.key === 'seen' ? entity.lastSeenAt : entity.firstSeenAt;
      if (at === undefined) return null;
      return condition.values.some(
        ({ from, to }) => (from === null || momentOf(from, now) <= at) && (to === null || at < momentOf(to, now)),
      );
    }
    case 'is':
    case 'has':
      return entity.traits === undefined ? null : condition.values.some((trait) => entity.traits!.includes(trait));
  }
}

function hasTag({ tags }: SearchedEntity, names: readonly string[]): boolean {
  return names.some((name) => (name.endsWith('/') ? tags.some((tag) => tag.startsWith(name)) : tags.includes(name)));
}

function negated(meets: boolean | null): boolean | null {
  return meets === null ? null : !meets;
}
