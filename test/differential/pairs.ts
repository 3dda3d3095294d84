/** One rule matching one record of one log. */
export interface Pair {
  /** Name of the log's file. */
  readonly log: string;
  /** Id of the Sigma rule. */
  readonly rule: string;
  /** What the record is known by in its log: id and time. */
  readonly record: string;
}

/** Pairs, each once. */
export class Pairs {
  readonly #pairs = new Map<string, Pair>();

  get size(): number {
    return this.#pairs.size;
  }

  add(pair: Pair): void {
    this.#pairs.set(keyOf(pair), pair);
  }

  has(pair: Pair): boolean {
    return this.#pairs.has(keyOf(pair));
  }

  [Symbol.iterator](): MapIterator<Pair> {
    return this.#pairs.values();
  }

  without(others: Pairs): Pair[] {
    return [...this].filter((pair) => !others.has(pair));
  }
}

function keyOf({ log, rule, record }: Pair): string {
  return `${log} ${rule} ${record}`;
}

/** A record by its id and its time, cut to the microseconds that all programs print. */
export function recordKey(id: string | number | null, time: string | null): string {
  const [, seconds = '', fraction = ''] = /^([\d-]+[T ][\d:]+)(?:\.(\d+))?/.exec(time ?? '') ?? [];
  return `${id} ${seconds.replace(' ', 'T')}.${fraction.padEnd(6, '0').slice(0, 6)}`;
}
