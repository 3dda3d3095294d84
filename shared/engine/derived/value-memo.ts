/** Characters of values that are remembered with what was made of them. */
const mostRemembered = 8 * 1024 * 1024;

/** Remembers what was made of the values of fields; all of it is forgotten when it is too much. */
export class ValueMemo<T> {
  readonly #known = new Map<string, Map<string, T>>();
  readonly #forgotten: () => void;
  #characters = 0;

  /** @param forgotten called when what was made so far is not given out any more. */
  constructor(forgotten: () => void = () => undefined) {
    this.#forgotten = forgotten;
  }

  /** What `make` made of this value of the field, now or before. */
  of(field: string, value: string, make: () => T): T {
    let known = this.#known.get(field);
    if (known === undefined) this.#known.set(field, (known = new Map()));
    let made = known.get(value);
    if (made === undefined) {
      this.#makeRoom(value.length + 64);
      made = make();
      known.set(value, made);
    }
    return made;
  }

  #makeRoom(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= mostRemembered) return;
    for (const values of this.#known.values()) values.clear();
    this.#characters = characters;
    this.#forgotten();
  }
}
