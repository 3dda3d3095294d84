import type { EventHead } from '../events/log-event.ts';
import type { JsonObject } from '../readers/json/json-value.ts';
import type { ToldRule } from './told-rule.ts';

/** One event that a rule has matched, as results tell of it. */
export interface ToldMatch {
  readonly rule: ToldRule;
  /** What is said of the event beside it; where nothing is, the event itself tells. */
  readonly head: Partial<EventHead>;
  /** The event: one of Windows in a layout of json_evtx, or a record of another product. */
  readonly event: JsonObject;
}

/** Takes the matches of a file of results in their order. */
export type TakeMatch = (match: ToldMatch, offset: number) => void;
