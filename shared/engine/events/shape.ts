import type { FieldId, FieldTable } from './field-table.ts';

/** The names that records have. */
export interface EventNames {
  /** Whether a record with these names can have the field. */
  has(field: FieldId): boolean;
}

/** The part of a record a name comes from; Windows look-up tries them in this order. */
export type Section = 'data' | 'system' | 'rendering';

/** One place for a value in the records of a shape. */
export interface SlotName {
  readonly name: string;
  readonly section: Section;
  /** Names of the elements around it and its own, joined by dots, where the value is nested. */
  readonly path?: string | undefined;
}

/** Finds the slots of a rule's field name, best first match only; several when the name repeats. */
export type NameResolver = (field: string, slots: readonly SlotName[]) => readonly number[];

const UNRESOLVED = -2;
const routeFields = ['EventID', 'Channel', 'EventLog', 'Provider_Name'];

/**
 * The names of one kind of record, in document order. All records of an EVTX template pair, or all
 * JSON objects with the same keys, share one shape, so a field name is resolved once for them all.
 */
export class Shape implements EventNames {
  readonly slots: readonly SlotName[];
  /** Whether the records have data of their own under a name that else means the route's (1.2.3 step 1). */
  readonly shadowsRoute: boolean;
  readonly #fields: FieldTable;
  readonly #resolve: NameResolver;
  #single = new Int32Array(0);
  readonly #several = new Map<FieldId, readonly number[]>();

  constructor(slots: readonly SlotName[], fields: FieldTable, resolve: NameResolver) {
    this.slots = slots;
    this.#fields = fields;
    this.#resolve = resolve;
    this.shadowsRoute = routeFields.some((name) => slots[resolve(name, slots)[0] ?? -1]?.section === 'data');
  }

  has(field: FieldId): boolean {
    return this.slot(field) >= 0;
  }

  /** Slot of a field; -1 when these records have none; `several` tells of further ones. */
  slot(field: FieldId): number {
    if (field >= this.#single.length) this.#grow(field);
    const slot = this.#single[field]!;
    return slot === UNRESOLVED ? this.#look(field) : slot;
  }

  /** All slots of a field whose name repeats in the record; undefined when there is at most one. */
  several(field: FieldId): readonly number[] | undefined {
    return this.#several.size === 0 ? undefined : this.#several.get(field);
  }

  #look(field: FieldId): number {
    const found = this.#resolve(this.#fields.name(field), this.slots);
    if (found.length > 1) this.#several.set(field, found);
    const slot = found[0] ?? -1;
    this.#single[field] = slot;
    return slot;
  }

  #grow(field: FieldId): void {
    const larger = new Int32Array(Math.max(this.#fields.size, field + 1)).fill(UNRESOLVED);
    larger.set(this.#single);
    this.#single = larger;
  }
}
