import type { Shape } from '../../events/shape.ts';
import type { ValueId } from '../../events/value-id.ts';
import type { TextPart } from './nodes.ts';

/** Slots of System names; -1 where the records lack one. `time` is always there. */
export interface SystemSlots {
  provider: number;
  eventId: number;
  channel: number;
  computer: number;
  recordId: number;
  time: number;
}

/** Where the records of one kind have their names and values. */
export interface Layout {
  /** Whether there is any element; nothing can be said of a record without. */
  readonly isEvent: boolean;
  /** Whether the records have more names than are kept. */
  readonly isCut: boolean;
  readonly shape: Shape;
  /** By slot, where its value lies and what it is without one; for the functions of `layout-code.ts`. */
  readonly codes: readonly number[];
  /** By slot, what its value is made of. */
  readonly texts: readonly (readonly TextPart[])[];
  /** Slots of EventData, UserData and the rendered message. */
  readonly searched: readonly number[];
  /** First slot of a Data element without a name; -1 when there is none. */
  readonly unnamed: number;
  readonly system: SystemSlots;
  /** By slot, a handle that its value had, in the generation said; 0 before there was one. */
  readonly last: { generation: number; readonly ids: ValueId[] };
}
