import type { LogEvent, OutputRecord } from '../events/log-event.ts';
import type { SlotName } from '../events/shape.ts';
import { EMPTY, type ValueId } from '../events/value-id.ts';
import type { ValueTable } from '../events/value-table.ts';
import { ValueMap } from '../matching/value-map.ts';
import { EdgeTable, type Edges } from './edge-table.ts';
import { type EntityFields, type EntityReader, EntityReaders, type EntityType } from './entities.ts';
import { EntityTable } from './entity-table.ts';
import { type IntelPlan, NamedPlan, type PlannedEnd, type PlannedRelationship } from './intel-plan.ts';
import { ipCategory } from './ip-category.ts';
import { NamedRecord } from './named-record.ts';

/** What some parts of a log name; plain data, so that threads can hand it over. */
export interface IntelPart {
  /** Place of the first part, by which what is known of matches elsewhere names the numbers here. */
  readonly run: number;
  /** By number, from 1: type, value, and how many events name it. */
  readonly types: Uint8Array;
  readonly values: readonly string[];
  readonly counts: Int32Array;
  readonly edges: readonly Edges[];
  /** By number, from 1. */
  readonly samples: readonly (KeptSample | null)[];
  readonly links: readonly { readonly rule: number; readonly entities: Int32Array }[];
  readonly isTruncated: boolean;
}

/** A trimmed event and the place of its record in the input. */
export interface KeptSample {
  readonly order: number;
  readonly record: OutputRecord;
}

/** Characters of samples that a run keeps, and of one value. */
const mostCharacters = 16 * 1024 * 1024;
const longestValue = 1024;
/** Links of findings to things that a run holds. */
const mostLinks = 1_000_000;

/** What a value names: nothing, one thing by its number, or less the number of a list of several. */
const NOTHING = 0;
/** What a memory has for nothing, as zero says that it does not know the value. */
const KNOWN_NOTHING = 0x7fff_ffff;

/**
 * Looks at all events of a run for what they name and how that is related. Which values matter is found once for a
 * list of names, and what a value names is remembered by its handle; nothing else of an event is asked for.
 */
export class IntelPass {
  readonly #readers: EntityReaders;
  readonly #entities = new EntityTable();
  readonly #edges = new EdgeTable();
  readonly #plans = new WeakMap<readonly SlotName[], NamedPlan>();
  readonly #memories: ValueMap[] = [];
  #lists: (readonly number[])[] = [];
  #generation = -1;
  readonly #unnamed = new NamedRecord();
  #found = new Int32Array(64);
  readonly #sources = new Ends();
  readonly #targets = new Ends();
  readonly #samples: (KeptSample | null)[] = [null];
  #characters = 0;
  readonly #isPublic: (boolean | undefined)[] = [];
  readonly #links = new Map<number, Set<number>>();
  #linked = 0;
  #isCut = false;
  #event = 0;
  #order = 0;
  #sample = 0;
  #time: number | undefined;
  #current!: LogEvent;
  #plan!: IntelPlan;
  #named: readonly number[] | undefined;
  #names: readonly SlotName[] | undefined;
  #namedPlan!: NamedPlan;
  /** For all event ids; null where it depends on it. */
  #anyPlan: IntelPlan | null = null;

  constructor(entities: EntityFields) {
    this.#readers = new EntityReaders(entities);
  }

  /** @param order place of the record in the input; not less than any before. */
  add(given: LogEvent, order: number): void {
    const event = given.slotNames === undefined ? this.#unnamed.take(given) : given;
    const { values } = event;
    if (values.generation !== this.#generation) this.#forget(values);
    const plan = this.#planOf(event);
    this.#event++;
    this.#order = order;
    this.#sample = 0;
    this.#time = undefined;
    this.#named = undefined;
    this.#current = event;
    this.#plan = plan;
    const isCombined = given.isCombined === true;
    this.#read(plan, event, values, !isCombined);
    for (const relationship of plan.relationships) {
      if (!isCombined || relationship.isShownTogether) this.#relate(relationship);
    }
  }

  /** Numbers of what the event names that was added last, each once. */
  get named(): readonly number[] {
    return (this.#named ??= this.#makeNamed());
  }

  /** A rule that reports holds for the event that was added last. */
  link(rule: number): void {
    let linked = this.#links.get(rule);
    if (linked === undefined) this.#links.set(rule, (linked = new Set()));
    for (const entity of this.named) {
      if (linked.has(entity)) continue;
      if (this.#linked >= mostLinks) this.#isCut = true;
      else {
        linked.add(entity);
        this.#linked++;
      }
    }
  }

  result(run: number): IntelPart {
    return {
      run,
      types: this.#entities.types(),
      values: this.#entities.values,
      counts: this.#entities.counts(),
      edges: this.#edges.edges(),
      samples: this.#samples,
      links: [...this.#links].map(([rule, entities]) => ({ rule, entities: Int32Array.from(entities) })),
      isTruncated: this.#isCut || this.#entities.isTruncated || this.#edges.isTruncated,
    };
  }

  #planOf(event: LogEvent): IntelPlan {
    const names = event.slotNames!;
    if (names !== this.#names) {
      this.#names = names;
      let named = this.#plans.get(names);
      if (named === undefined) this.#plans.set(names, (named = new NamedPlan(names, this.#readers)));
      this.#namedPlan = named;
      this.#anyPlan = named.asksEventId ? null : named.of('');
    }
    return this.#anyPlan ?? this.#namedPlan.of(eventIdOf(event));
  }

  #read({ places, readers, counts, last }: IntelPlan, event: LogEvent, values: ValueTable, isCounted: boolean): void {
    const reads = places.length;
    if (reads > this.#found.length) this.#found = new Int32Array(reads * 2);
    if (last.generation !== this.#generation) {
      last.generation = this.#generation;
      last.ids.fill(0);
    }
    const found = this.#found;
    const { ids, found: before } = last;
    for (let read = 0; read < reads; read++) {
      const id = event.at!(places[read]!);
      let named = NOTHING;
      if (id > EMPTY) {
        if (id === ids[read]) named = before[read]!;
        else if (values.isTransient(id)) named = this.#look(readers[read]!, id, values);
        else {
          named = this.#remembered(readers[read]!, id, values);
          ids[read] = id;
          before[read] = named;
        }
        if (isCounted && counts[read]) this.#count(named);
      }
      found[read] = named;
    }
  }

  #count(named: number): void {
    if (named > 0) this.#entities.count(named, this.#event);
    else if (named < 0) for (const one of this.#lists[-named]!) this.#entities.count(one, this.#event);
  }

  #remembered(reader: EntityReader, id: ValueId, values: ValueTable): number {
    const memory = (this.#memories[reader.index] ??= new ValueMap());
    const known = memory.get(id);
    if (known !== 0) return known === KNOWN_NOTHING ? NOTHING : known;
    const named = this.#look(reader, id, values);
    memory.add(id, named === NOTHING ? KNOWN_NOTHING : named);
    return named;
  }

  #look(reader: EntityReader, id: ValueId, values: ValueTable): number {
    const met: number[] = [];
    const add = (type: EntityType, value: string): void => {
      const number = this.#entities.number(type, value);
      if (number > 0 && !met.includes(number)) met.push(number);
    };
    for (const item of values.items(id) ?? [id]) if (item > EMPTY) reader.read(values.text(item), add);
    if (met.length < 2) return met[0] ?? NOTHING;
    return -(this.#lists.push(met) - 1);
  }

  #relate({ type, source, target, isPublic, whenPlace, whenHolds }: PlannedRelationship): void {
    const [sources, targets] = [this.#sources, this.#targets];
    this.#take(source, sources);
    if (sources.count === 0) return;
    this.#take(target, targets);
    if (targets.count === 0 || !whenHolds(whenPlace < 0 ? '' : this.#text(whenPlace))) return;
    for (let at = 0; at < sources.count; at++) {
      const from = sources.numbers[at]!;
      for (let to = 0; to < targets.count; to++) this.#relateOne(type, from, targets.numbers[to]!, isPublic);
    }
  }

  #relateOne(type: number, from: number, to: number, isPublic: boolean): void {
    if (from === to || (isPublic && !(this.#isPublicAddress(from) && this.#isPublicAddress(to)))) return;
    this.#show(type, from, to);
  }

  #show(type: number, from: number, to: number): void {
    const edges = this.#edges;
    const edge = edges.add(type, from, to, this.#event, this.#plan.isFailure);
    if (edge < 0) return;
    edges.widen(edge, (this.#time ??= this.#current.time()));
    if (!edges.wantsSample(edge)) return;
    const sample = this.#sample === 0 ? (this.#sample = this.#trimmed()) : this.#sample;
    if (sample > 0) edges.addSample(edge, sample);
  }

  /** Takes the things of the end's type in the first of its fields that has any, or in all of them. */
  #take({ type, choices, isEach }: PlannedEnd, into: Ends): void {
    into.count = 0;
    for (const reads of choices) {
      for (const read of reads) {
        const named = this.#found[read]!;
        if (named > 0) this.#takeOne(named, type, into);
        else if (named < 0) for (const one of this.#lists[-named]!) this.#takeOne(one, type, into);
      }
      if (into.count > 0 && !isEach) return;
    }
  }

  #takeOne(number: number, type: number, into: Ends): void {
    if (this.#entities.type(number) === type) into.numbers[into.count++] = number;
  }

  #isPublicAddress(number: number): boolean {
    return (this.#isPublic[number] ??= ipCategory(this.#entities.values[number]!) === 'public');
  }

  #text(place: number): string {
    const { values } = this.#current;
    const id = this.#current.at!(place);
    return values.text(values.items(id)?.[0] ?? id);
  }

  /** Number of the trimmed event as a sample; -1 where it says nothing or there is no room. */
  #trimmed(): number {
    const { values } = this.#current;
    const record: OutputRecord = {};
    let isEmpty = true;
    for (const { place, name } of this.#plan.sample) {
      const id = this.#current.at!(place);
      if (id <= EMPTY || values.items(id) !== undefined || Object.hasOwn(record, name)) continue;
      const text = values.text(id);
      if (text === '') continue;
      isEmpty = false;
      this.#characters += Math.min(text.length, longestValue);
      record[name] = name === 'EventID' && /^\d{1,9}$/.test(text) ? Number(text) : text.slice(0, longestValue);
    }
    if (isEmpty) return -1;
    if (this.#characters > mostCharacters) {
      this.#isCut = true;
      return -1;
    }
    return this.#samples.push({ order: this.#order, record }) - 1;
  }

  #makeNamed(): readonly number[] {
    const { counts } = this.#plan;
    const named = new Set<number>();
    for (let read = 0; read < counts.length; read++) {
      const one = counts[read] ? this.#found[read]! : NOTHING;
      if (one > 0) named.add(one);
      else if (one < 0) for (const each of this.#lists[-one]!) named.add(each);
    }
    return [...named];
  }

  #forget({ generation }: ValueTable): void {
    this.#generation = generation;
    for (const memory of this.#memories) memory?.clear();
    this.#lists = [[]];
  }
}

/** Numbers of what stands at one end of a relationship, in a list that is used again and again. */
class Ends {
  count = 0;
  readonly numbers: number[] = [];
}

/** What relationships go by: the event id, or the category of a record whose source tells one. */
function eventIdOf(event: LogEvent): string {
  const { product, eventId, facts } = event.route;
  if (product === 'windows' && facts.length === 0) return eventId;
  return facts.find(({ category }) => category !== undefined)?.category ?? event.head().eventId ?? '';
}
