/** Handle of a value in a ValueTable. Small, comparable only within one generation. */
export type ValueId = number;

/** The event has no such field. */
export const ABSENT: ValueId = 0;
/** The field stands there without a value: JSON null, an empty XML element. */
export const NULL: ValueId = 1;
/** The field stands there with the empty text. */
export const EMPTY: ValueId = 2;
