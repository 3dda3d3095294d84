import type { FieldId, FieldTable } from '../../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord } from '../../events/log-event.ts';
import type { SlotName } from '../../events/shape.ts';
import type { Route, RouteTable } from '../../events/route.ts';
import type { ValueTable } from '../../events/value-table.ts';
import { ABSENT, type ValueId } from '../../events/value-id.ts';
import { inputSources } from '../../sigma/input-sources.ts';
import type { EventTables } from '../reader.ts';
import { QuickTimes } from '../quick-times.ts';
import { logTime } from './log-time.ts';
import { percentDecoded } from './percent.ts';
import type { Profile } from './profile.ts';

const headComputer: SlotName = { name: 'Computer', section: 'system' };

/**
 * A record of any product, whose values go by the names that its log gives them. Subclasses say how a
 * field is found in their format; what it means to rules and reports comes from its profile.
 */
export abstract class NamedEvent implements LogEvent {
  readonly values: ValueTable;
  offset = 0;
  readonly #fields: FieldTable;
  readonly #routes: RouteTable;
  readonly #routeOf = new Map<Profile, Route>();
  protected readonly times = new QuickTimes(logTime);
  #askedOf: AskedFields | undefined;
  readonly #names = new WeakMap<object, readonly SlotName[]>();

  constructor(tables: EventTables) {
    this.values = tables.values;
    this.#fields = tables.fields;
    this.#routes = tables.routes;
  }

  protected abstract readonly profile: Profile;
  abstract value(field: FieldId): ValueId;
  abstract keywords(visit: (value: ValueId) => boolean): boolean;
  abstract toRecord(): OutputRecord;

  get route(): Route {
    const { profile } = this;
    const known = this.#routeOf.get(profile);
    if (known !== undefined) return known;
    const route = this.#routes.source(...(profile.facts ?? inputSources[profile.source]));
    this.#routeOf.set(profile, route);
    return route;
  }

  time(): number {
    for (const field of this.#asked().time) {
      const ms = this.timeOf(field);
      if (ms !== undefined) return ms;
    }
    return Number.NaN;
  }

  computer(): ValueId {
    for (const field of this.#asked().computer) {
      const id = this.#said(field);
      if (id !== ABSENT) return id;
    }
    return ABSENT;
  }

  head(): EventHead {
    const { time, computer, service, channel = [], event = [], record = [] } = this.profile.head;
    const told = this.#first(time);
    return {
      recordId: this.#first(record),
      timestamp: told === null ? null : logTime(told),
      computer: this.#first(computer),
      channel: this.#first(channel) ?? service ?? null,
      eventId: this.#first(event),
    };
  }

  /** Milliseconds since 1970 of a field's time; undefined where it says nothing, NaN where what it says is no time. */
  protected timeOf(field: FieldId): number | undefined {
    const id = this.#said(field);
    return id === ABSENT ? undefined : this.times.ofText(this.values.text(id));
  }

  /** Names of the values of such a list, and behind them the computer of the head. */
  protected namesOf(values: readonly { readonly name: string }[]): readonly SlotName[] {
    let names = this.#names.get(values);
    if (names === undefined) {
      names = [...values.map(({ name }): SlotName => ({ name, section: 'data' })), headComputer];
      this.#names.set(values, names);
    }
    return names;
  }

  /** Name of a field as the rule spells it. */
  protected name(field: FieldId): string {
    return this.#fields.name(field);
  }

  /** Text of a field, of the first value where it has several; undefined where it is absent. */
  protected readonly text = (name: string): string | undefined => {
    const id = this.value(this.#fields.id(name));
    return id === ABSENT ? undefined : this.values.text(this.values.items(id)?.[0] ?? id);
  };

  /** Texts of all values of a field. */
  protected readonly allTexts = (name: string): readonly string[] => {
    const id = this.value(this.#fields.id(name));
    return id === ABSENT ? [] : (this.values.items(id) ?? [id]).map((item) => this.values.text(item));
  };

  protected derive(key: string): ValueId {
    const { derived } = this.profile;
    const make = derived !== undefined && Object.hasOwn(derived, key) ? derived[key] : undefined;
    const text = make?.(this.text, this.allTexts);
    return text === undefined ? ABSENT : this.values.intern(text);
  }

  /** The value, and as a second one what its percent-encoding stands for. */
  protected withDecoded(id: ValueId): ValueId {
    const items = this.values.items(id) ?? [id];
    const decoded = items.flatMap((item) => percentDecoded(this.values.text(item)) ?? []);
    if (decoded.length === 0) return id;
    return this.values.list([...items, ...decoded.map((text) => this.values.intern(text))]);
  }

  #first(names: readonly string[]): string | null {
    for (const name of names) {
      const id = this.#said(this.#fields.id(name));
      if (id !== ABSENT) return this.values.text(id);
    }
    return null;
  }

  /** The first value of a field; ABSENT too where that says nothing. */
  #said(field: FieldId): ValueId {
    const id = this.value(field);
    if (id === ABSENT) return ABSENT;
    const first = this.values.items(id)?.[0] ?? id;
    const text = this.values.text(first);
    return text === '' || text === '-' ? ABSENT : first;
  }

  #asked(): AskedFields {
    const { profile } = this;
    if (this.#askedOf?.profile === profile) return this.#askedOf;
    const { time, computer } = profile.head;
    const ids = (names: readonly string[]): FieldId[] => names.map((name) => this.#fields.id(name));
    return (this.#askedOf = { profile, time: ids(time), computer: ids(computer) });
  }
}

/** Fields of the head that are asked of every record. */
interface AskedFields {
  readonly profile: Profile;
  readonly time: readonly FieldId[];
  readonly computer: readonly FieldId[];
}
