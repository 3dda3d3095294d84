import type { LogCensus } from './derived/census.ts';
import type { Derived } from './derived/deriver.ts';
import type { EventHead, OutputRecord } from './events/log-event.ts';
import type { ExternalEngine } from './external/told-rule.ts';
import type { RawMatches } from './matching/raw-matches.ts';
import type { RuleCost } from './matching/rule-profile.ts';
import type { Statistics } from './matching/tally.ts';
import type { LogType } from './readers/log-type.ts';
import type { ReadProblem } from './readers/reader.ts';
import type { Severity } from './severity.ts';

/** A matched event kept as a sample of its finding. */
export interface Sample extends EventHead {
  readonly fields: OutputRecord;
}

/** One rule with all its matches in one file (detection-engine 5.1). */
export interface Finding {
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  readonly author: string | null;
  /** Matched events, all of them, however many samples are kept. */
  readonly count: number;
  /** First and last event time, UTC ISO 8601; null when no matched event has one. */
  readonly first: string | null;
  readonly last: string | null;
  /** Computers of the matched events in the order met, the first 1,000 of them. */
  readonly computers: readonly string[];
  /** The earliest matches in time order, at most `maxSamples`. */
  readonly samples: readonly Sample[];
  /** The rule's own document, as written. */
  readonly ruleSource: string;
}

/** What one pass over one input found; findings sorted by severity, then count, then name. */
export interface Analysis {
  readonly logType: LogType;
  readonly events: number;
  /** Those of the events that were not matched, as they are not of the period asked for or have no time. */
  readonly passedOver: { readonly outside: number; readonly untimed: number };
  readonly findings: readonly Finding[];
  /** Null unless asked for. */
  readonly statistics: Statistics | null;
  /** Null unless asked for. */
  readonly derived: Derived | null;
  /** Null unless asked for. */
  readonly census: LogCensus | null;
  /** Null unless asked for. */
  readonly raw: RawMatches | null;
  /** Of the rules that were evaluated, in no order. Null unless asked for. */
  readonly costs: readonly RuleCost[] | null;
  readonly problems: readonly ReadProblem[];
  /** The engine whose results the log is, all of it. */
  readonly toldBy?: ExternalEngine;
  /** Why nothing at all could be read; not there where something was, or where the log is an empty one. */
  readonly unread?: string;
}

/** What was found by some point of a pass, without correlations, which are made at its end. */
export interface FoundSoFar {
  readonly events: number;
  /** Matched events by the rule's place in its set. */
  readonly matches: readonly { readonly rule: number; readonly count: number }[];
}

/** Computers named with a finding. */
export const mostComputers = 1000;
