import type { FieldTable } from '../../events/field-table.ts';
import { Shape } from '../../events/shape.ts';
import { resolveWindowsField } from '../../events/windows-fields.ts';
import { flatten } from './flatten.ts';
import { LayoutDraft } from './layout-draft.ts';
import { Parts } from './pieces.ts';
import type { RecordFrame } from './record-frame.ts';
import type { Layout } from './record-layout.ts';

const MOST_SLOTS = 128 * 1024;

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
