import type { FieldId } from '../../events/field-table.ts';
import type { OutputRecord } from '../../events/log-event.ts';
import { ABSENT, EMPTY, NULL, type ValueId } from '../../events/value-table.ts';
import { isObject, type JsonObject, type JsonScalar, type JsonValue } from '../json/json-value.ts';
import { NamedEvent } from '../named/named-event.ts';
import type { Profile } from '../named/profile.ts';
import type { EventTables } from '../reader.ts';
import { ObjectPath } from './object-path.ts';
import { profileOf } from './signatures.ts';

const deepest = 64;
const mostLeaves = 4096;

/** How a field is looked for in the records of a profile. */
interface Plan {
  readonly key: string;
  readonly paths: readonly ObjectPath[];
  readonly decodes: boolean;
}

/** The JSON object just read, as rules see it; one event for all records. Only what is asked for is looked up. */
export class ObjectEvent extends NamedEvent {
  protected profile: Profile;
  readonly #plans = new Map<Profile, (Plan | undefined)[]>();
  #record: JsonObject = {};
  #searched: readonly ValueId[] | undefined;
  #planned: (Plan | undefined)[] = [];

  constructor(tables: EventTables) {
    super(tables);
    this.profile = profileOf({});
  }

  /** Takes up a record, which says by its keys what it is. */
  take(record: JsonObject, offset: number): void {
    this.values.nextRecord();
    this.offset = offset;
    this.#record = record;
    this.#searched = undefined;
    this.profile = profileOf(record);
    let planned = this.#plans.get(this.profile);
    if (planned === undefined) this.#plans.set(this.profile, (planned = []));
    this.#planned = planned;
  }

  value(field: FieldId): ValueId {
    const plan = (this.#planned[field] ??= this.#plan(this.name(field)));
    for (const path of plan.paths) {
      const found = path.find(this.#record);
      if (found.length === 0) continue;
      const id = this.#together(found);
      return plan.decodes ? this.withDecoded(id) : id;
    }
    const id = this.derive(plan.key);
    return plan.decodes && id !== ABSENT ? this.withDecoded(id) : id;
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    return (this.#searched ??= this.#makeSearched()).some(visit);
  }

  toRecord(): OutputRecord {
    const record = new Map<string, Exclude<JsonScalar, null>[]>();
    eachLeaf(this.#record, (leaf, name) => {
      if (leaf === null || leaf === '') return false;
      const known = record.get(name);
      if (known === undefined) record.set(name, [leaf]);
      else known.push(leaf);
      return false;
    });
    const entries = [...record].map(([name, leaves]) => [name, leaves.length === 1 ? leaves[0]! : leaves] as const);
    // fromEntries defines names such as __proto__ as any other.
    return Object.fromEntries([...entries, ['_offset', this.offset]]);
  }

  /** Every text and number of the record. Every keyword of every rule asks for them, so they are made once. */
  #makeSearched(): readonly ValueId[] {
    const searched: ValueId[] = [];
    eachLeaf(this.#record, (leaf) => {
      if (leaf === null || leaf === '' || typeof leaf === 'boolean') return false;
      const id = this.values.intern(String(leaf));
      if (this.profile.decoded === undefined) searched.push(id);
      else searched.push(...(this.values.items(this.withDecoded(id)) ?? [id]));
      return false;
    });
    return searched;
  }

  #plan(name: string): Plan {
    const key = name.toLowerCase();
    const { aliases, decoded } = this.profile;
    const others = aliases !== undefined && Object.hasOwn(aliases, key) ? aliases[key]! : [];
    return { key, paths: [name, ...others].map((one) => new ObjectPath(one)), decodes: decoded?.has(key) ?? false };
  }

  #together(found: readonly JsonValue[]): ValueId {
    const items = found.flatMap((value) => (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]));
    if (items.length === 0) return NULL;
    return items.length === 1 ? this.#id(items[0]!) : this.values.list(items.map((item) => this.#id(item)));
  }

  /** An object stands for its JSON text; Azure's `{value, localizedValue}` for its value. */
  #id(value: JsonValue): ValueId {
    if (value === null) return NULL;
    if (value === '') return EMPTY;
    if (typeof value !== 'object') return this.values.intern(String(value));
    if (isObject(value) && isLocalised(value)) return this.#id(value.value ?? null);
    return this.values.intern(JSON.stringify(value));
  }
}

/** Whether it is one of Azure's pairs of a value and its translation. */
function isLocalised(value: JsonObject): boolean {
  return typeof value.value === 'string' && ('localizedValue' in value || 'localized_value' in value);
}

/** Visits scalars with their dotted names, in document order, until `visit` returns true. */
function eachLeaf(record: JsonObject, visit: (leaf: JsonScalar, name: string) => boolean): boolean {
  let left = mostLeaves;
  const walk = (value: JsonValue, name: string, depth: number): boolean => {
    if (typeof value !== 'object' || value === null) return left-- > 0 && visit(value, name);
    if (depth > deepest) return false;
    if (Array.isArray(value)) return (value as readonly JsonValue[]).some((item) => walk(item, name, depth + 1));
    for (const key in value as JsonObject) {
      if (walk((value as JsonObject)[key]!, name === '' ? key : `${name}.${key}`, depth + 1)) return true;
    }
    return false;
  };
  return walk(record, '', 0);
}
