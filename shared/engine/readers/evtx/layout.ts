import type { FieldTable } from '../../events/field-table.ts';
import { Shape } from '../../events/shape.ts';
import type { ValueId } from '../../events/value-table.ts';
import { resolveWindowsField } from '../../events/windows-fields.ts';
import { flatten } from './flatten.ts';
import { LayoutDraft, type SystemSlots } from './layout-draft.ts';
import { Parts, type TextPart } from './pieces.ts';
import type { RecordFrame } from './record-frame.ts';

const MOST_SLOTS = 128 * 1024;

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
    const draft = new LayoutDraft();
    flatten(parts, draft);
    draft.end();
    const { codes, texts, searched, unnamed, system, ids } = draft;
    const shape = this.#shape(draft);
    return {
      isEvent,
      isCut: parts.isCut,
      shape,
      codes,
      texts,
      searched,
      unnamed,
      system,
      last: { generation: -1, ids },
    };
  }

  #shape({ key, slots }: LayoutDraft): Shape {
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      this.#slots += slots.length;
      if (this.#slots > MOST_SLOTS) {
        this.#shapes.clear();
        this.#slots = slots.length;
      }
      shape = new Shape(slots, this.#fields, resolveWindowsField);
      this.#shapes.set(key, shape);
    }
    return shape;
  }
}
