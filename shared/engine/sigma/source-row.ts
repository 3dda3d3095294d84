import type { SourceFacts } from '../events/route.ts';
import type { Expression } from './expression.ts';

/** Names of the field mappings of detection-engine 1.2.3, by the class of event they read. */
export type MappingName = 'M1-4688' | 'M1-4689' | 'M2' | 'M3' | 'M4' | 'dns';

/** One way in which a record satisfies a log source. */
export interface SourceRow {
  readonly facts: SourceFacts;
  /** Further condition on the record's own fields. */
  readonly when?: Expression;
  /** The rule's fields are read through this mapping first (1.2.3 step 4). */
  readonly mapping?: MappingName;
}
