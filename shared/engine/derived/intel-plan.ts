import type { SlotName } from '../events/shape.ts';
import { typeNumber } from './entity-table.ts';
import type { EntityReader, EntityReaders } from './entities.ts';
import { relationshipTypes } from './intel.ts';
import type { End, RelationshipRule } from './relationship-rule.ts';
import { failures, HEAD_COMPUTER, relationshipRules, sampleFields, shownTogether } from './relationship-rules.ts';

/** An end of a relationship among the reads of a plan. */
export interface PlannedEnd {
  /** Number of the type of thing that it is. */
  readonly type: number;
  /** Reads of one field, and behind them those of fields that are asked only where it names nothing. */
  readonly choices: readonly (readonly number[])[];
  readonly isEach: boolean;
}

/** A relationship that records of a plan may show. */
export interface PlannedRelationship {
  readonly type: number;
  readonly source: PlannedEnd;
  readonly target: PlannedEnd;
  readonly isPublic: boolean;
  readonly isShownTogether: boolean;
  /** Place whose value must be so; -1 where nothing is asked of any. */
  readonly whenPlace: number;
  readonly whenHolds: (value: string) => boolean;
}

/** What is looked for in the records of one list of names and, where it matters, one event id. */
export interface IntelPlan {
  /** By read: the place in the record, what its value is looked at for, and whether what it names is counted. */
  readonly places: readonly number[];
  readonly readers: readonly EntityReader[];
  readonly counts: readonly boolean[];
  readonly relationships: readonly PlannedRelationship[];
  readonly isFailure: boolean;
  readonly sample: readonly { readonly place: number; readonly name: string }[];
  /** By read, the value that it had last, in the generation said, and what that names. */
  readonly last: { generation: number; readonly ids: Int32Array; readonly found: Int32Array };
}

/** What is looked for in the records of one list of names. */
export class NamedPlan {
  /** Whether it depends on the event id, so that `of` must be told it. */
  readonly asksEventId: boolean;
  readonly #places: ReadonlyMap<string, readonly number[]>;
  readonly #rules: readonly RelationshipRule[];
  readonly #readers: EntityReaders;
  readonly #plans = new Map<string, IntelPlan>();

  constructor(names: readonly SlotName[], readers: EntityReaders) {
    this.#places = placesOf(names, readers);
    this.#readers = readers;
    this.#rules = relationshipRules.filter(({ source, target }) => this.#has(source) && this.#has(target));
    this.asksEventId = this.#rules.some(({ eventIds }) => eventIds !== undefined);
  }

  of(eventId: string): IntelPlan {
    const asked = this.asksEventId && eventIdsAsked.has(eventId) ? eventId : '';
    let plan = this.#plans.get(asked);
    if (plan === undefined) this.#plans.set(asked, (plan = this.#plan(asked)));
    return plan;
  }

  #plan(eventId: string): IntelPlan {
    const rules = this.#rules.filter(({ eventIds }) => eventIds === undefined || eventIds.includes(eventId));
    return new Planner(this.#places, this.#readers).plan(rules, failures.has(eventId));
  }

  #has({ fields }: End): boolean {
    return fields.some((field) => this.#places.has(field));
  }
}

/** Event ids that some relationship asks for. */
const eventIdsAsked = new Set([...failures, ...relationshipRules.flatMap(({ eventIds }) => eventIds ?? [])]);

const asked: ReadonlySet<string> = new Set([
  ...sampleFields.keys(),
  ...relationshipRules.flatMap(({ source, target, when }) => [
    ...source.fields,
    ...target.fields,
    ...(when === undefined ? [] : [when.field]),
  ]),
]);

/** Places of the names that anything is asked of: records have many others. */
function placesOf(names: readonly SlotName[], readers: EntityReaders): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let place = 0; place < names.length; place++) {
    const { name, section } = names[place]!;
    if (name === 'Computer' && section === 'system' && !places.has(HEAD_COMPUTER)) places.set(HEAD_COMPUTER, [place]);
    if (name === HEAD_COMPUTER || (!asked.has(name) && readers.ofField(name) === undefined)) continue;
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else known.push(place);
  }
  return places;
}

const always = (): boolean => true;
const nowhere: readonly number[] = [];

class Planner {
  readonly #named: ReadonlyMap<string, readonly number[]>;
  readonly #readers: EntityReaders;
  readonly #places: number[] = [];
  readonly #reads: EntityReader[] = [];
  readonly #counts: boolean[] = [];

  constructor(named: ReadonlyMap<string, readonly number[]>, readers: EntityReaders) {
    this.#named = named;
    this.#readers = readers;
  }

  plan(rules: readonly RelationshipRule[], isFailure: boolean): IntelPlan {
    for (const [name, places] of this.#named) {
      const reader = name === HEAD_COMPUTER ? this.#readers.of('computer') : this.#readers.ofField(name);
      if (reader !== undefined) for (const place of places) this.#read(place, reader, true);
    }
    const relationships = rules.map(({ type, source, target, when, isPublic = false }): PlannedRelationship => {
      return {
        type: relationshipTypes.indexOf(type),
        source: this.#end(source),
        target: this.#end(target),
        isPublic,
        isShownTogether: shownTogether.has(type),
        whenPlace: this.#named.get(when?.field ?? '\u0000')?.[0] ?? -1,
        whenHolds: when?.holds ?? always,
      };
    });
    const reads = this.#places.length;
    return {
      places: this.#places,
      readers: this.#reads,
      counts: this.#counts,
      relationships,
      isFailure,
      sample: [...this.#named].flatMap(([field, [place]]) => {
        const name = sampleFields.get(field);
        return name === undefined ? [] : [{ place: place!, name }];
      }),
      last: { generation: -1, ids: new Int32Array(reads), found: new Int32Array(reads) },
    };
  }

  #end({ type, kind, fields, isEach, isNamed = false }: End): PlannedEnd {
    const reader = this.#readers.of(kind);
    const choices = fields
      .map((field) => (this.#named.get(field) ?? nowhere).map((place) => this.#read(place, reader, isNamed)))
      .filter((reads) => reads.length > 0);
    return { type: typeNumber(type), choices, isEach };
  }

  /** Number of a read; the same for what is read already. */
  #read(place: number, reader: EntityReader, isCounted: boolean): number {
    const known = this.#places.findIndex((at, read) => at === place && this.#reads[read] === reader);
    if (known >= 0) {
      this.#counts[known] ||= isCounted;
      return known;
    }
    this.#reads.push(reader);
    this.#counts.push(isCounted);
    return this.#places.push(place) - 1;
  }
}
