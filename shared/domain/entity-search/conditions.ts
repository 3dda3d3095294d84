import type { EntityType } from '../entity.ts';
import type { AmountRange, SearchMoment } from '../search/conditions.ts';
import type { EntityAttributeKey, EntityTrait } from './keys.ts';

/** A network as its first and last address: 16 bytes of IPv6, in hexadecimal. */
export interface AddressRange {
  readonly first: string;
  readonly last: string;
}

/** Moments from `from` on and before `to`; null where there is no bound. */
export interface MomentRange {
  readonly from: SearchMoment | null;
  readonly to: SearchMoment | null;
}

/** What a term asks of an entity; of several values any will do. */
export type EntityCondition =
  /** The value contains the parts, lower-case, in this order; at its start or end where these are anchored. */
  | {
      readonly key: 'value';
      readonly parts: readonly string[];
      readonly atStart: boolean;
      readonly atEnd: boolean;
    }
  /** With a slash at its end, all names that begin so. */
  | { readonly key: 'tag'; readonly values: readonly string[] }
  | { readonly key: 'attr'; readonly values: readonly EntityAttributeKey[] }
  | { readonly key: 'label'; readonly attributes: readonly EntityAttributeKey[]; readonly tags: readonly string[] }
  /** These and no others, which no text asks for. */
  | { readonly key: 'id'; readonly values: readonly number[] }
  | { readonly key: 'type'; readonly values: readonly EntityType[] }
  /** Whole values, lower-case. */
  | { readonly key: 'in'; readonly values: readonly string[] }
  | { readonly key: 'list'; readonly name: string }
  | { readonly key: 'job'; readonly values: readonly number[] }
  | { readonly key: 'cidr'; readonly values: readonly AddressRange[] }
  /** A regular expression that `patternProblem` has nothing against, in whatever case. */
  | { readonly key: 're'; readonly pattern: string }
  | { readonly key: 'seen' | 'first'; readonly values: readonly MomentRange[] }
  | { readonly key: 'jobs'; readonly values: readonly AmountRange[] }
  | { readonly key: 'is' | 'has'; readonly values: readonly EntityTrait[] };
