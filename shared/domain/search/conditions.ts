import type { JobStatus } from '../job-status.ts';
import type { LogType } from '../log-type.ts';
import type { Severity } from '../severity.ts';
import type { HeldKey } from './held-words.ts';
import type { SearchTrait } from './keys.ts';

/** Matched events from `min` to `max`, both included; null for no upper bound. */
export interface AmountRange {
  readonly min: number;
  readonly max: number | null;
}

/** A moment on the calendar (ISO 8601, UTC), or this many milliseconds before the search. */
export type SearchMoment = { readonly at: string } | { readonly agoMs: number };

/** What a term asks of a job; of several values any will do. */
export type SearchCondition =
  /** Without wildcard: the name contains it. With one, it is the whole name. */
  | { readonly key: 'name'; readonly text: string; readonly isWildcard: boolean }
  | { readonly key: 'tag'; readonly values: readonly string[] }
  | { readonly key: 'workflow'; readonly values: readonly string[] }
  | { readonly key: 'tool'; readonly values: readonly string[] }
  | { readonly key: 'sha256'; readonly values: readonly string[] }
  | { readonly key: 'status'; readonly values: readonly JobStatus[] }
  | { readonly key: 'type'; readonly values: readonly LogType[] }
  | { readonly key: 'sev'; readonly values: readonly Severity[] }
  | { readonly key: 'findings'; readonly values: readonly AmountRange[] }
  | { readonly key: 'after' | 'before'; readonly values: readonly SearchMoment[] }
  | { readonly key: 'id'; readonly values: readonly number[] }
  | { readonly key: 'is'; readonly values: readonly SearchTrait[] }
  /** What the results hold, as `heldWord` finds it; a hash is also what the digest of the file begins with. */
  | { readonly key: HeldKey; readonly values: readonly string[] }
  /** The number of a case, or what its name contains. */
  | { readonly key: 'case'; readonly values: readonly string[] };

/** The moment, for a search at `now`. */
export function momentOf(moment: SearchMoment, now: Date): Date {
  return 'at' in moment ? new Date(moment.at) : new Date(now.getTime() - moment.agoMs);
}
