import type { EventHead, OutputRecord } from '../events/log-event.ts';
import type { SourceFacts } from '../events/route.ts';
import type { Severity } from '../severity.ts';
import type { LogType } from '../readers/log-type.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { MappingName } from '../sigma/source-row.ts';

/** One value that a rule lists, as it is written there. */
export interface ValueExplanation {
  readonly value: string;
  readonly holds: boolean;
}

/** One `field|modifier: values` of a detection. */
export interface ItemExplanation {
  /** As written, with its modifiers; empty for a keyword. */
  readonly key: string;
  /** Null for keywords, which ask every text of the record. */
  readonly field: string | null;
  /** What the record has there, as the rule sees it; null where the field is absent, and for keywords. */
  readonly found: readonly string[] | null;
  readonly holds: boolean;
  readonly values: readonly ValueExplanation[];
}

/** A map of a detection, of which every item must hold, or a keyword. */
export interface AlternativeExplanation {
  readonly holds: boolean;
  readonly items: readonly ItemExplanation[];
}

/** A named part of a detection, which holds when one of its alternatives does. */
export interface IdentifierExplanation {
  readonly name: string;
  readonly holds: boolean;
  /** Whether the condition would come out otherwise if this part alone did. */
  readonly decides: boolean;
  readonly alternatives: readonly AlternativeExplanation[];
}

/** The rule held against the record in one of the ways in which it sees it. */
export interface ViewExplanation {
  /** The mapping that gives the record's fields the rule's names (detection-engine 1.2.3); null for its own. */
  readonly mapping: MappingName | null;
  /** Whether the record is of the rule's log source. */
  readonly sourceHolds: boolean;
  /** As written; of several, one must hold. */
  readonly conditions: readonly string[];
  readonly conditionHolds: boolean;
  /** The condition holds, and a Sigma filter takes the match away. */
  readonly isFiltered: boolean;
  readonly identifiers: readonly IdentifierExplanation[];
}

/** Why a rule holds for a record or does not, part by part. */
export interface Explanation {
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly path: string;
  readonly matches: boolean;
  readonly logSource: LogSource;
  /** The log sources that the record satisfies. */
  readonly recordSources: readonly SourceFacts[];
  /** At least one; the rule matches when one of them does. */
  readonly views: readonly ViewExplanation[];
}

/** One record of a log with the explanations of rules for it. */
export interface ExplainedRecord {
  readonly logType: LogType;
  /** Its place among the records of the log, from 1. */
  readonly number: number;
  readonly head: EventHead;
  readonly fields: OutputRecord;
  readonly explanations: readonly Explanation[];
}
