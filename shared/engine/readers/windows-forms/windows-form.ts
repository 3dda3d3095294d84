import type { JsonTree } from '../json/json-tree.ts';
import type { JsonObject } from '../json/json-value.ts';

/** A form in which a tool writes Windows events. */
export interface WindowsForm {
  /** Whether the record is in this form, told by its keys: what holds for one holds for all that have the same ones. */
  holds(record: JsonTree): boolean;
  /** The event that such a record is, in a layout of json_evtx. */
  eventIn(record: JsonObject): JsonObject;
}
