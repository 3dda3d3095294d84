import type { OutputRecord } from '../events/log-event.ts';
import type { EntityType } from './entities.ts';

/** Types of directed relationships (resolved-intel 6.1 and 6.5) in canonical order, which is their wire code. */
export const relationshipTypes = [
  'hashes_to',
  'resolves_to',
  'parent_of',
  'runs_as',
  'runs_on',
  'logs_on_from',
  'logs_on_to',
  'connects_to',
  'loads',
  'creates',
  'communicates_with',
  'queries',
  'installs',
  'schedules',
  'injects_into',
] as const;
export type RelationshipType = (typeof relationshipTypes)[number];

/** What all scanned events of a log name, and how that is related; plain data. */
export interface DerivedIntel {
  /** Most frequent first within a type; `count` is scanned events. Others name them by their place here. */
  readonly entities: readonly { readonly type: EntityType; readonly value: string; readonly count: number }[];
  /** `rule` is the place of the rule among all that report, as in the findings; `entities` are places above. */
  readonly findings: readonly { readonly rule: number; readonly entities: readonly number[] }[];
  readonly relationships: readonly {
    readonly type: RelationshipType;
    /** Places of its ends among the entities. */
    readonly source: number;
    readonly target: number;
    /** Scanned events that show it, and those of them that tell of a failure (4625). */
    readonly count: number;
    readonly failed: number;
    /** First and last time of these events, milliseconds since 1970; null where none has a time. */
    readonly observedFrom: number | null;
    readonly observedTo: number | null;
    /** The earliest of them that say something, trimmed (resolved-intel 6.2); three at most. */
    readonly samples: readonly OutputRecord[];
  }[];
  /** Whether there was more than is kept. */
  readonly isTruncated: boolean;
}
