import type { LogEvent } from '../events/log-event.ts';
import type { EventNames } from '../events/shape.ts';
import type { Route } from '../events/route.ts';
import { EMPTY, type ValueId } from '../events/value-id.ts';
import type { EventTables } from '../readers/reader.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { type Entity, type EntityFields, EntityExtractor } from './entities.ts';
import { type MetValue, MetValues } from './met-values.ts';
import { type MetTimes, OccupiedTimes } from './occupied-times.ts';
import { readingRules } from './reading-rules.ts';

export interface CensusOptions {
  /** Which fields name accounts. @default none, and accounts are not counted */
  readonly entities?: Pick<EntityFields, 'fields' | 'ignoredUsers'>;
}

/** Names with in how many records each is. */
export interface CensusNames {
  /** Most frequent first, the first of them. */
  readonly frequent: readonly { readonly value: string; readonly count: number }[];
  readonly total: number;
  /** There were more names than are counted, so that the total is a least one. */
  readonly isPart: boolean;
}

/** Records of one kind: of Windows by channel, provider and event id, others by their log source. */
export interface CensusKind {
  /** Such as `linux / auditd`; null for records that do not tell their log source. */
  readonly source: string | null;
  readonly channel: string | null;
  readonly provider: string | null;
  /** Event id, or what a format has for a type. */
  readonly event: string | null;
  readonly count: number;
}

/** What is in a log, whatever rules make of it: of all records that were held against rules. */
export interface LogCensus {
  readonly records: number;
  /** Most frequent first, the first of them. */
  readonly kinds: readonly CensusKind[];
  /** Of those counted: in a log of very many kinds the records of the last ones are in none. */
  readonly kindsTotal: number;
  readonly hosts: CensusNames;
  /** Null where nobody looked: that was not asked for, or records are texts whose names would have to be searched for. */
  readonly accounts: CensusNames | null;
  /** Records without a time, or with one before 1970. */
  readonly undated: number;
  /** UTC ISO 8601; null where no record has a time. */
  readonly first: string | null;
  readonly last: string | null;
  /** Null where there are too few records to tell. */
  readonly gaps: {
    /** 19 of 20 records follow the one before within so many milliseconds; gaps are ten times as long, and so long. */
    readonly usualMs: number;
    readonly leastMs: number;
    /** Longest first, the first of them. */
    readonly longest: readonly { readonly from: string; readonly to: string }[];
    readonly total: number;
  } | null;
  /** Rules that ran, correlations too, and those of them whose log source some record has. */
  readonly rules: { readonly total: number; readonly reading: number };
}

/** What was counted of some parts of a log; plain data, so that threads can hand it over. */
export interface CensusPart {
  readonly records: number;
  readonly kinds: readonly MetKind[];
  readonly hosts: PartNames;
  readonly accounts: PartNames;
  readonly looksAtAccounts: boolean;
  readonly undated: number;
  readonly times: MetTimes;
}

interface MetKind {
  readonly route: Route;
  count: number;
}

interface PartNames {
  readonly met: readonly MetValue[];
  readonly isPart: boolean;
}

interface Counted extends MetValue {
  count: number;
  /** The record that it was counted for last. */
  last: number;
}

const mostKinds = 50;
const mostNames = 50;
const mostGaps = 20;
const mostHeld = 20_000;
const mostShapes = 10_000;
/** More than the table of routes keeps. */
const mostRoutes = 100_000;
/** The end of the year 9999. */
const latest = 253_402_300_799_999;
const nobody: readonly Counted[] = [];

/**
 * Counts all records of a run, matched or not: a few comparisons for most, since records come after others of the
 * same kind, host, time and account.
 */
export class Census {
  readonly #tables: EventTables;
  readonly #extractor: EntityExtractor;
  readonly #accountFields: EntityFields['fields']['user'];
  readonly #kinds = new Map<Route, MetKind>();
  #route: Route | undefined;
  #ofKind!: MetKind;
  /** Only a log made to do harm has so many kinds; further ones are not kept. */
  #isFull = false;
  readonly #times = new OccupiedTimes();
  readonly #hosts = new CountedNames();
  readonly #accounts = new CountedNames();
  readonly #fieldsOf = new Map<EventNames, readonly number[]>();
  #names: EventNames | undefined;
  #fields: readonly number[] = [];
  /** Handles are void once the table of values has begun anew. */
  #generation: number;
  #host: ValueId = -1;
  #hostCounted: Counted | undefined;
  readonly #hostOf = new Map<ValueId, Counted>();
  readonly #accountsOf = new Map<ValueId, readonly Counted[]>();
  #looksAtAccounts = false;
  #records = 0;
  #undated = 0;

  constructor({ entities }: CensusOptions, tables: EventTables) {
    const none = {
      ip: [],
      hash: [],
      executable: [],
      domain: [],
      command_line: [],
      service: [],
      task: [],
      computer: [],
    };
    const { fields: { user } = { user: [] }, ignoredUsers = [] } = entities ?? {};
    this.#tables = tables;
    this.#extractor = new EntityExtractor({ fields: { ...none, user }, ignoredUsers, commandLineExtensions: [] });
    this.#accountFields = user;
    this.#generation = tables.values.generation;
  }

  /** @param order place of the record in the input. */
  add(event: LogEvent, route: Route, order: number): void {
    const { isCombined, names } = event;
    if (route !== this.#route) this.#meetKind(route);
    if (isCombined) return;
    this.#ofKind.count++;
    this.#records++;
    const ms = event.time();
    if (ms >= 0 && ms <= latest) this.#times.add(ms);
    else this.#undated++;
    if (this.#tables.values.generation !== this.#generation) this.#forget();
    const host = event.computer();
    if (host !== this.#host) this.#meetHost(host, order);
    if (this.#hostCounted !== undefined) this.#hostCounted.count++;
    if (names === undefined) return;
    if (names !== this.#names) this.#takeNames(names);
    const fields = this.#fields;
    for (let at = 0; at < fields.length; at++) {
      const id = event.value(fields[at]!);
      if (id > EMPTY) this.#countAccounts(id, fields[at]!, order);
    }
  }

  result(): CensusPart {
    return {
      records: this.#records,
      kinds: [...this.#kinds.values()],
      hosts: this.#hosts.result(),
      accounts: this.#accounts.result(),
      looksAtAccounts: this.#looksAtAccounts,
      undated: this.#undated,
      times: this.#times.met(),
    };
  }

  #meetKind(route: Route): void {
    let kind = this.#kinds.get(route);
    if (kind === undefined) {
      kind = { route, count: 0 };
      // Routes beyond those that their table keeps are others each time.
      if (this.#kinds.size >= mostRoutes && !this.#isFull) this.#joinKinds();
      if (!this.#isFull) this.#kinds.set(route, kind);
    }
    this.#route = route;
    this.#ofKind = kind;
  }

  /** Makes one of the kinds that are told alike. */
  #joinKinds(): void {
    const alike = new Map<string, MetKind>();
    for (const kind of this.#kinds.values()) {
      const key = keyOf(kindOf(kind));
      const known = alike.get(key);
      if (known === undefined) alike.set(key, kind);
      else known.count += kind.count;
    }
    this.#kinds.clear();
    for (const kind of alike.values()) this.#kinds.set(kind.route, kind);
    this.#isFull = this.#kinds.size > mostRoutes / 2;
  }

  #forget(): void {
    this.#generation = this.#tables.values.generation;
    this.#host = -1;
    this.#hostOf.clear();
    this.#accountsOf.clear();
  }

  #meetHost(id: ValueId, order: number): void {
    const { values } = this.#tables;
    const isLasting = !values.isTransient(id);
    let counted = this.#hostOf.get(id);
    if (counted === undefined) {
      const name = id > EMPTY ? this.#extractor.computer(values.text(values.items(id)?.[0] ?? id)) : null;
      if (name !== null) counted = this.#hosts.of(name, order);
      if (counted !== undefined && isLasting) this.#hostOf.set(id, counted);
    }
    this.#hostCounted = counted;
    this.#host = isLasting ? id : -1;
  }

  #takeNames(names: EventNames): void {
    let fields = this.#fieldsOf.get(names);
    if (fields === undefined) {
      if (this.#fieldsOf.size >= mostShapes) this.#fieldsOf.clear();
      fields = this.#accountFields.map((name) => this.#tables.fields.id(name)).filter((field) => names.has(field));
      this.#fieldsOf.set(names, fields);
    }
    this.#looksAtAccounts ||= this.#accountFields.length > 0;
    this.#names = names;
    this.#fields = fields;
  }

  #countAccounts(id: ValueId, field: number, order: number): void {
    let counted = this.#accountsOf.get(id);
    if (counted === undefined) {
      counted = this.#accountsIn(id, field, order);
      if (!this.#tables.values.isTransient(id)) this.#accountsOf.set(id, counted);
    }
    for (let at = 0; at < counted.length; at++) {
      const one = counted[at]!;
      if (one.last === this.#records) continue;
      one.last = this.#records;
      one.count++;
    }
  }

  #accountsIn(id: ValueId, field: number, order: number): readonly Counted[] {
    const { values, fields } = this.#tables;
    const found: Counted[] = [];
    for (const item of values.items(id) ?? [id]) {
      this.#extractor.read(fields.name(field), values.text(item), (entity) => {
        const counted = entity.type === 'user' ? this.#accounts.of(entity, order) : undefined;
        if (counted !== undefined) found.push(counted);
      });
    }
    return found.length === 0 ? nobody : found;
  }
}

/** Names within bounds: past them only those met before are counted. */
class CountedNames {
  readonly #names = new Map<string, Counted>();
  #isPart = false;

  of({ value }: Entity, order: number): Counted | undefined {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    if (this.#names.size >= mostHeld) {
      this.#isPart = true;
      return undefined;
    }
    const counted = { value, order, count: 0, last: 0 };
    this.#names.set(value, counted);
    return counted;
  }

  result(): PartNames {
    const met = [...this.#names.values()].map(({ value, count, order }) => ({ value, count, order }));
    return { met, isPart: this.#isPart };
  }
}

/** Puts together what was counted of all parts of a log: the same as one pass over it counts. */
export function joinCensus(rules: RuleSet, parts: readonly CensusPart[]): LogCensus {
  const sum = (of: (part: CensusPart) => number): number => parts.reduce((all, part) => all + of(part), 0);
  const kinds = joinKinds(parts);
  const times = OccupiedTimes.join(parts.map((part) => part.times));
  const span = times.span();
  const rhythm = times.rhythm();
  return {
    records: sum(({ records }) => records),
    kinds: kinds.slice(0, mostKinds),
    kindsTotal: kinds.length,
    hosts: joinNames(parts.map(({ hosts }) => hosts)),
    accounts: parts.some(({ looksAtAccounts }) => looksAtAccounts)
      ? joinNames(parts.map(({ accounts }) => accounts))
      : null,
    undated: sum(({ undated }) => undated),
    first: span && textOf(span.from),
    last: span && textOf(span.to),
    gaps: rhythm && {
      usualMs: rhythm.usual,
      leastMs: rhythm.least,
      longest: rhythm.gaps.slice(0, mostGaps).map(({ from, to }) => ({ from: textOf(from), to: textOf(to) })),
      total: rhythm.gaps.length,
    },
    rules: readingRules(
      rules,
      parts.flatMap((part) => part.kinds.map(({ route }) => route)),
    ),
  };
}

function joinNames(parts: readonly PartNames[]): CensusNames {
  const all = MetValues.join(
    parts.map(({ met }) => met),
    mostHeld,
  );
  const frequent = all.met().sort((a, b) => b.count - a.count || compare(a.value, b.value));
  return {
    frequent: frequent.slice(0, mostNames).map(({ value, count }) => ({ value, count })),
    total: all.size,
    isPart: all.isTruncated || parts.some(({ isPart }) => isPart),
  };
}

function joinKinds(parts: readonly CensusPart[]): CensusKind[] {
  const kinds = new Map<string, CensusKind>();
  for (const met of parts.flatMap((part) => part.kinds)) {
    if (met.count === 0) continue;
    const kind = kindOf(met);
    const known = kinds.get(keyOf(kind));
    kinds.set(keyOf(kind), { ...kind, count: kind.count + (known?.count ?? 0) });
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count || compare(keyOf(a), keyOf(b)));
}

function kindOf({ route, count }: MetKind): CensusKind {
  const { product, channel, provider, eventId, facts, fixed } = route;
  if (facts.length > 0 || product !== 'windows') {
    return { source: sourceOf(route), channel: null, provider: null, event: fixed.get('type') ?? null, count };
  }
  return { source: product, channel: channel || null, provider: provider || null, event: eventId || null, count };
}

/** The facts that say most, such as `linux: sshd, auth`. */
export function sourceOf({ facts }: Pick<Route, 'facts'>): string | null {
  const most = Math.max(0, ...facts.map((one) => Object.keys(one).length));
  const telling = facts.filter((one) => Object.keys(one).length === most);
  const products = new Set(telling.flatMap(({ product }) => product ?? []));
  const others = new Set(telling.flatMap(({ service, category }) => [service, category].filter(Boolean)));
  return [[...products].join(', '), [...others].join(', ')].filter(Boolean).join(': ') || null;
}

function keyOf({ source, channel, provider, event }: CensusKind): string {
  return JSON.stringify([source, channel, provider, event]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function textOf(ms: number): string {
  return new Date(ms).toISOString();
}
