import type { EntityType } from '@svc/domain';
import type { DoorKind, DoorValue } from '../../../ui/door-value.ts';

const types: Readonly<Partial<Record<DoorKind, EntityType>>> = {
  host: 'computer',
  user: 'user',
  ip: 'ip_address',
  hash: 'hash',
  program: 'executable',
  domain: 'domain',
};

/** What a value may be among entities; undefined where it is none. */
export function entityTypeOf({ kind }: DoorValue): EntityType | undefined {
  return types[kind];
}

/** The search of entities that finds a value whole; null for what is none, or cannot be written as one. */
export function entityAsked({ kind, value }: DoorValue): { q: string; types: readonly EntityType[] } | null {
  const type = types[kind];
  // A quote ends what is in quotes, and a parenthesis the list.
  return type === undefined || /[")]/.test(value) ? null : { q: `in:("${value}")`, types: [type] };
}
