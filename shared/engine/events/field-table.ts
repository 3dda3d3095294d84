/** Number of a field name that loaded rules or outputs ask for. */
export type FieldId = number;

/**
 * Numbers the field names that anyone asks for, so that records are addressed by number and names
 * are resolved once per shape of record, not once per record. Spellings that differ in case get
 * numbers of their own, because an exact-case name in the record is preferred.
 */
export class FieldTable {
  readonly #ids = new Map<string, FieldId>();
  readonly #names: string[] = [];

  get size(): number {
    return this.#names.length;
  }

  id(name: string): FieldId {
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = this.#names.length;
      this.#ids.set(name, id);
      this.#names.push(name);
    }
    return id;
  }

  name(id: FieldId): string {
    return this.#names[id] ?? '';
  }
}
