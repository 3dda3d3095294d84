/** Things that an event names, by their numbers in the run that read it; matches of like events share one. */
export interface NamedThings {
  readonly run: number;
  readonly entities: readonly number[];
}

/** What events of a finding name, as far as one run read them. */
export interface Linked {
  /** Place of the rule or correlation among all that report. */
  readonly rule: number;
  readonly run: number;
  readonly entities: Iterable<number>;
}

/** Lists remembered at a time. */
const mostShared = 65_536;

/** Gives the same object for the same list, as matches may be many and what they name is mostly the same. */
export class SharedThings {
  readonly #run: number;
  readonly #shared = new Map<string, NamedThings>();

  constructor(run: number) {
    this.#run = run;
  }

  of(entities: readonly number[]): NamedThings {
    const key = entities.join(' ');
    let shared = this.#shared.get(key);
    if (shared === undefined) {
      if (this.#shared.size >= mostShared) this.#shared.clear();
      this.#shared.set(key, (shared = { run: this.#run, entities }));
    }
    return shared;
  }
}

/** Gathers what the events of correlations name. */
export class LinkedThings {
  readonly #byRule = new Map<number, Map<number, Set<number>>>();

  add(rule: number, { run, entities }: NamedThings): void {
    let byRun = this.#byRule.get(rule);
    if (byRun === undefined) this.#byRule.set(rule, (byRun = new Map()));
    let linked = byRun.get(run);
    if (linked === undefined) byRun.set(run, (linked = new Set()));
    for (const entity of entities) linked.add(entity);
  }

  linked(): Linked[] {
    return [...this.#byRule].flatMap(([rule, byRun]) => [...byRun].map(([run, entities]) => ({ rule, run, entities })));
  }
}
