import type { FieldTable } from '../../events/field-table.ts';
import { Shape, type SlotName } from '../../events/shape.ts';
import { resolveWindowsField } from '../../events/windows-fields.ts';
import { flatten, type Slot } from './flatten.ts';
import { isOptional, Parts, type TextPart } from './pieces.ts';
import type { RecordFrame } from './record-frame.ts';

const MOST_SLOTS = 256 * 1024;
const TIME = 'TimeCreated_SystemTime';
/** No instance has as many values, so all places beyond are as empty as this one. */
const LAST_PLACE = 0x7fff;
/** Place of a slot that is not simply one value of an instance. */
export const COMPOSED = -1;

/** Where the records of one kind have their names and values. */
export interface Layout {
  /** Whether there is any element; nothing can be said of a record without. */
  readonly isEvent: boolean;
  readonly shape: Shape;
  /** By slot: the instance and the number of its value; COMPOSED when `texts` say what it is made of. */
  readonly instances: Uint8Array;
  readonly places: Int16Array;
  readonly texts: readonly (readonly TextPart[])[];
  /** By slot: 1 for an attribute. */
  readonly attributes: Uint8Array;
  /** By slot: 1 when a null value means that the element or attribute is not there at all. */
  readonly optional: Uint8Array;
  /** Slots of EventData, UserData and the rendered message. */
  readonly searched: readonly number[];
  /** Slots of Data elements without a name. */
  readonly unnamed: ReadonlySet<number>;
  /** Slots of System names; -1 where the records lack one. `time` is always there. */
  readonly system: SystemSlots;
  /** Handles of the slots that are always the same text, by slot, in their generation. */
  readonly fixed: { generation: number; readonly ids: Int32Array };
}

export interface SystemSlots {
  readonly provider: number;
  readonly eventId: number;
  readonly channel: number;
  readonly computer: number;
  readonly recordId: number;
  readonly time: number;
}

/** Makes the layouts of records, one per chain of templates, and shares shapes between them. */
export class Layouts {
  readonly #fields: FieldTable;
  readonly #shapes = new Map<string, Shape>();
  #slots = 0;

  constructor(fields: FieldTable) {
    this.#fields = fields;
  }

  of(frame: RecordFrame): Layout {
    const known = frame.node?.layout;
    if (known !== undefined) return known;
    const layout = this.#build(frame);
    frame.node?.keep(layout);
    return layout;
  }

  #build(frame: RecordFrame): Layout {
    const parts = new Parts(frame);
    const isEvent = parts.roots().length > 0;
    const slots = [...flatten(parts)];
    const system = (name: string): number => slots.findIndex((slot) => slot.section === 'system' && slot.name === name);
    // The record header has a time for every record.
    if (system(TIME) < 0) slots.push(headerTime);
    const where = (test: (slot: Slot) => boolean): number[] =>
      slots.flatMap((slot, index) => (test(slot) ? [index] : []));
    return {
      isEvent,
      shape: this.#shape(slots),
      instances: Uint8Array.from(slots, ({ texts }) => texts[0]?.instance ?? 0),
      places: Int16Array.from(slots, ({ texts }) => placeOf(texts)),
      texts: slots.map((slot) => slot.texts),
      attributes: Uint8Array.from(slots, (slot) => (slot.isAttribute ? 1 : 0)),
      optional: Uint8Array.from(slots, (slot) => (slot.isAttribute || isOptional(slot.texts) ? 1 : 0)),
      searched: where((slot) => (slot.section === 'data' ? slot.name !== 'UserData_Root' : slot.name === 'Message')),
      unnamed: new Set(where((slot) => slot.isUnnamed)),
      system: {
        provider: system('Provider_Name'),
        eventId: system('EventID'),
        channel: system('Channel'),
        computer: system('Computer'),
        recordId: system('EventRecordID'),
        time: system(TIME),
      },
      fixed: { generation: -1, ids: new Int32Array(slots.length) },
    };
  }

  #shape(slots: readonly Slot[]): Shape {
    let key = '';
    for (const { name, section, path } of slots) key += `${section}\u0000${name}\u0000${path ?? ''}\u0000`;
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      this.#slots += slots.length;
      if (this.#slots > MOST_SLOTS) {
        this.#shapes.clear();
        this.#slots = slots.length;
      }
      shape = new Shape(slots.map(slotName), this.#fields, resolveWindowsField);
      this.#shapes.set(key, shape);
    }
    return shape;
  }
}

const headerTime: Slot = {
  name: TIME,
  section: 'system',
  path: undefined,
  texts: [],
  isAttribute: true,
  isUnnamed: false,
};

function slotName({ name, section, path }: Slot): SlotName {
  return path === undefined ? { name, section } : { name, section, path };
}

function placeOf(texts: readonly TextPart[]): number {
  const piece = texts.length === 1 ? texts[0]!.piece : undefined;
  return piece?.kind === 'value' ? Math.min(piece.index, LAST_PLACE) : COMPOSED;
}
