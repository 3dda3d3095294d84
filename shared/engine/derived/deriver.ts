import type { EventHead, OutputRecord, OutputValue } from '../events/log-event.ts';
import { EntityExtractor, type EntityFields, type EntityType, entityTypes } from './entities.ts';
import type { DerivedIntel } from './intel.ts';
import { MatchPlot, type Plotted } from './match-plot.ts';
import { type MetValue, MetValues } from './met-values.ts';
import { type ProcessEvent, ProcessEvents, processOf } from './process-events.ts';
import { type ProcessTree, processTree } from './process-tree.ts';
import { joinThreats, type ThreatCategory, type ThreatReport, type ThreatRow, ThreatTally } from './threats.ts';

/** What is made of matched events beside findings (resolved-platform 5 to 8); plain data. */
export interface DeriveOptions {
  /** Group that the matches of each rule are shown under, by its place among all that report: its tactic. */
  readonly groups: readonly string[];
  readonly entities: EntityFields;
  readonly threats: readonly ThreatCategory[];
  /** Most matched events to look at; findings do not go by it. @default all */
  readonly maxEvents?: number | undefined;
  /** Whether to look at all scanned events for what they name and how that is related. @default true */
  readonly intel?: boolean | undefined;
  /** Counts them for all threads of a run together; without it each deriver counts its own. */
  readonly counted?: Int32Array | undefined;
}

/** What was derived from some parts of a log; plain data, so that threads can hand it over. */
export interface DerivedPart extends Plotted {
  readonly events: number;
  readonly isCapped: boolean;
  readonly entities: Readonly<Record<EntityType, readonly MetValue[]>>;
  readonly isTruncated: boolean;
  readonly threats: readonly ThreatRow[];
  readonly processes: { readonly events: readonly ProcessEvent[]; readonly isTruncated: boolean };
}

/** What was derived from the matched events of a log. */
export interface DerivedReport extends Plotted {
  /** Matched events that were looked at, each once. */
  readonly events: number;
  /** Whether there were more than may be looked at. */
  readonly isCapped: boolean;
  /** Things that the events name, most frequent first; `count` is events. */
  readonly entities: Readonly<Record<EntityType, readonly { readonly value: string; readonly count: number }[]>>;
  /** Whether there were more things than are kept. */
  readonly isTruncated: boolean;
  readonly threats: ThreatReport;
  readonly processes: ProcessTree;
}

/** What was derived from a log. */
export interface Derived extends DerivedReport {
  /** Of all scanned events; empty where it was not asked for. */
  readonly intel: DerivedIntel;
}

/** Things of one type that are kept (resolved-intel 1.2), and that a run holds. */
const mostKept = 20_000;
const mostHeld = 60_000;

/** Derives from the matched events of a run, in memory that does not grow with them. */
export class Deriver {
  readonly #extractor: EntityExtractor;
  readonly #threats: ThreatTally;
  readonly #plot: MatchPlot;
  readonly #entities = byType(() => new MetValues(mostHeld));
  readonly #processes = new ProcessEvents();
  readonly #ofEvent = new Set<object>();
  readonly #most: number;
  readonly #counted: Int32Array;
  #isCapped = false;
  #events = 0;

  constructor({ groups, entities, threats, maxEvents, counted }: DeriveOptions) {
    this.#most = maxEvents ?? Number.POSITIVE_INFINITY;
    this.#counted = counted ?? new Int32Array(1);
    this.#plot = new MatchPlot(groups);
    this.#extractor = new EntityExtractor(entities);
    this.#threats = new ThreatTally(threats);
  }

  /**
   * Takes one event and the places of the rules that it matched; none where its matches are plotted elsewhere.
   * @param order place of the record in the input.
   */
  add(head: EventHead, record: OutputRecord, rules: readonly number[], order: number): void {
    if (!this.#mayLook()) return;
    this.#events++;
    for (const rule of rules) this.#plot.add(rule, head.timestamp, head.computer);
    this.#ofEvent.clear();
    this.#threats.nextEvent();
    if (head.computer !== null) this.#meet(this.#extractor.computer(head.computer), order);
    for (const name of Object.keys(record)) {
      for (const text of textsOf(record[name]!)) {
        this.#extractor.read(name, text, (entity) => this.#meet(entity, order));
        this.#threats.read(name, text, order);
      }
    }
    const process = processOf(head, record, rules, order);
    if (process !== null) this.#processes.add(process);
  }

  result(): DerivedPart {
    return {
      events: this.#events,
      isCapped: this.#isCapped,
      ...this.#plot.result(),
      entities: byType((type) => this.#entities[type].met()),
      isTruncated: entityTypes.some((type) => this.#entities[type].isTruncated),
      threats: this.#threats.rows(),
      processes: { events: this.#processes.events(), isTruncated: this.#processes.isTruncated },
    };
  }

  #mayLook(): boolean {
    if (this.#most === Number.POSITIVE_INFINITY) return true;
    this.#isCapped ||= Atomics.add(this.#counted, 0, 1) >= this.#most;
    return !this.#isCapped;
  }

  #meet(entity: { readonly type: EntityType; readonly value: string } | null, order: number): void {
    if (entity === null || this.#ofEvent.has(entity)) return;
    this.#ofEvent.add(entity);
    this.#entities[entity.type].add(entity.value, order);
  }
}

/**
 * Puts together what was derived from all parts of a log: the same as from one pass over it.
 * @param correlated the matches of correlations, which are known when all parts are.
 */
export function joinDerived(
  { threats }: DeriveOptions,
  parts: readonly DerivedPart[],
  correlated?: Plotted,
): DerivedReport {
  const entities = byType((type) =>
    MetValues.join(
      parts.map((part) => part.entities[type]),
      mostHeld,
    ),
  );
  const executables = new Set(entities.executable.met().map(({ value }) => value));
  const processes = ProcessEvents.join(parts.map((part) => part.processes));
  return {
    events: parts.reduce((sum, { events }) => sum + events, 0),
    isCapped: parts.some(({ isCapped }) => isCapped),
    ...MatchPlot.join(correlated === undefined ? parts : [...parts, correlated]),
    entities: byType((type) =>
      entities[type]
        .met()
        // A program is no script that one was given.
        .filter(({ value }) => type !== 'cmdline_file' || !executables.has(value))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        .slice(0, mostKept)
        .map(({ value, count }) => ({ value, count })),
    ),
    isTruncated:
      parts.some(({ isTruncated }) => isTruncated) ||
      entityTypes.some((type) => entities[type].isTruncated || entities[type].size > mostKept),
    threats: joinThreats(
      threats,
      parts.map((part) => part.threats),
    ),
    processes: processTree(processes.events(), processes.isTruncated),
  };
}

function byType<T>(make: (type: EntityType) => T): Record<EntityType, T> {
  return Object.fromEntries(entityTypes.map((type) => [type, make(type)])) as Record<EntityType, T>;
}

const few: string[] = [''];

/** The texts of a value; the list is reused. */
function textsOf(value: OutputValue): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  few[0] = typeof value === 'string' ? value : String(value);
  return few;
}
