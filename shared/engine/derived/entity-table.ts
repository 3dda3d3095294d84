import { type EntityType, entityTypes } from './entities.ts';

/** Things of one type that a run holds: those first met. */
const mostHeld = 60_000;

const typeNumbers = new Map(entityTypes.map((type, number) => [type, number]));

/** Number of a type in the order of `entityTypes`. */
export function typeNumber(type: EntityType): number {
  return typeNumbers.get(type)!;
}

/** Numbers the things of a run from 1 and counts the events that name them; bounded by type. */
export class EntityTable {
  /** Whether there were more than are held. */
  isTruncated = false;
  readonly values: string[] = [''];
  readonly #byType = entityTypes.map(() => new Map<string, number>());
  #types = new Uint8Array(1024);
  #counts = new Int32Array(1024);
  /** By number, the event that was counted last. */
  #events = new Int32Array(1024);

  /** Number of a thing, which is not counted by being asked for; 0 where there are too many. */
  number(type: EntityType, value: string): number {
    const ofType = this.#byType[typeNumber(type)]!;
    const known = ofType.get(value);
    if (known !== undefined) return known;
    if (ofType.size >= mostHeld) {
      this.isTruncated = true;
      return 0;
    }
    const number = this.values.push(value) - 1;
    if (number >= this.#types.length) this.#grow();
    this.#types[number] = typeNumber(type);
    ofType.set(value, number);
    return number;
  }

  /** The event names the thing; counted once, however often it does. */
  count(number: number, event: number): void {
    if (this.#events[number] === event) return;
    this.#events[number] = event;
    this.#counts[number]!++;
  }

  /** Number of the type of a thing. */
  type(number: number): number {
    return this.#types[number]!;
  }

  types(): Uint8Array {
    return this.#types.slice(0, this.values.length);
  }

  counts(): Int32Array {
    return this.#counts.slice(0, this.values.length);
  }

  #grow(): void {
    const [types, counts, events] = [this.#types, this.#counts, this.#events];
    this.#types = new Uint8Array(types.length * 2);
    this.#types.set(types);
    this.#counts = new Int32Array(counts.length * 2);
    this.#counts.set(counts);
    this.#events = new Int32Array(events.length * 2);
    this.#events.set(events);
  }
}
