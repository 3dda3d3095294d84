import type { FieldId } from '../../events/field-table.ts';
import type { OutputRecord } from '../../events/log-event.ts';
import type { EventNames, SlotName } from '../../events/shape.ts';
import { ABSENT, NULL, type ValueId } from '../../events/value-id.ts';
import { JsonValues } from '../json/json-leaf.ts';
import { givenTree, isLeaf, isList, isTree, type JsonNode, type JsonTree, plainValue } from '../json/json-tree.ts';
import type { JsonObject, JsonScalar } from '../json/json-value.ts';
import { NamedEvent } from '../named/named-event.ts';
import type { Profile } from '../named/profile.ts';
import type { EventTables } from '../reader.ts';
import { ObjectPath } from './object-path.ts';
import { ObjectPlan, type Place } from './object-plan.ts';

/** How a field is looked for in the records of a profile. */
interface Search {
  readonly key: string;
  readonly paths: readonly ObjectPath[];
  readonly decodes: boolean;
  /** Whether the profile says where the field is, so that an object that happens to have its name is not it. */
  readonly isKnown: boolean;
}

/** The JSON object just read, as rules see it; one event for all records. Only what is asked for is looked up. */
export class ObjectEvent extends NamedEvent {
  protected profile!: Profile;
  readonly #values: JsonValues;
  readonly #searches = new Map<Profile, (Search | undefined)[]>();
  #plan!: ObjectPlan;
  #places: (Place | undefined)[] = [];
  readonly #namesOf = new WeakMap<(Place | undefined)[], EventNames>();
  #isShared = false;
  #searched: readonly ValueId[] | undefined;

  constructor(tables: EventTables) {
    super(tables);
    this.#values = new JsonValues(tables.values);
  }

  /** Takes up a record, which says by its keys what it is. */
  take(record: JsonObject, offset: number): void {
    this.takePlanned(new ObjectPlan(givenTree(record)), offset);
    this.#isShared = false;
  }

  /** Takes up the record that the scan of the plan holds. */
  takePlanned(plan: ObjectPlan, offset: number): void {
    this.values.nextRecord();
    this.offset = offset;
    this.profile = plan.profile();
    this.#plan = plan;
    this.#places = plan.places(this.profile);
    this.#searched = undefined;
    this.#isShared = true;
  }

  /** Known of records that share a plan. */
  get names(): EventNames | undefined {
    if (!this.#isShared) return undefined;
    const places = this.#places;
    let names = this.#namesOf.get(places);
    if (names === undefined) {
      names = { has: (field) => (places[field] ??= this.#place(field)).items !== undefined };
      this.#namesOf.set(places, names);
    }
    return names;
  }

  value(field: FieldId): ValueId {
    const { items, key, decodes } = (this.#places[field] ??= this.#place(field));
    const id = items === undefined ? this.derive(key) : this.#together(items);
    return decodes && id !== ABSENT ? this.withDecoded(id) : id;
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    return (this.#searched ??= this.#makeSearched()).some(visit);
  }

  get slotNames(): readonly SlotName[] {
    return this.namesOf(this.#plan.leaves);
  }

  at(place: number): ValueId {
    const named = this.#plan.leaves[place];
    return named === undefined ? this.computer() : named.leaf.id(this.#values);
  }

  toRecord(): OutputRecord {
    const record = new Map<string, Exclude<JsonScalar, null>[]>();
    for (const { name, leaf } of this.#plan.leaves) {
      const value = leaf.value();
      if (value === null || value === '') continue;
      const known = record.get(name);
      if (known === undefined) record.set(name, [value]);
      else known.push(value);
    }
    const entries = [...record].map(([name, values]) => [name, values.length === 1 ? values[0]! : values] as const);
    // fromEntries defines names such as __proto__ as any other.
    return Object.fromEntries([...entries, ['_offset', this.offset]]);
  }

  /** Every text and number of the record. Every keyword of every rule asks for them, so they are made once. */
  #makeSearched(): readonly ValueId[] {
    const searched: ValueId[] = [];
    for (const { leaf } of this.#plan.leaves) {
      if (leaf.isEmpty || leaf.isBoolean) continue;
      const id = leaf.id(this.#values);
      if (this.profile.decoded === undefined) searched.push(id);
      else searched.push(...(this.values.items(this.withDecoded(id)) ?? [id]));
    }
    return searched;
  }

  /** Where the field stands in all records that the plan is for. */
  #place(field: FieldId): Place {
    const { key, paths, decodes, isKnown } = this.#search(field);
    for (const path of paths) {
      const found = path.find(this.#plan.tree);
      if (isKnown && found.every((node) => isTree(node) && !isLocalised(node))) continue;
      if (found.length > 0) return { key, decodes, items: found.flatMap((node) => (isList(node) ? node : [node])) };
    }
    return { key, decodes, items: undefined };
  }

  #search(field: FieldId): Search {
    let searches = this.#searches.get(this.profile);
    if (searches === undefined) this.#searches.set(this.profile, (searches = []));
    return (searches[field] ??= this.#newSearch(this.name(field)));
  }

  #newSearch(name: string): Search {
    const key = name.toLowerCase();
    const { aliases, decoded, derived, rewritten } = this.profile;
    const others = aliases !== undefined && Object.hasOwn(aliases, key) ? aliases[key]! : [];
    return {
      key,
      paths: rewritten?.has(name) ? [] : [name, ...others].map((one) => new ObjectPath(one)),
      decodes: decoded?.has(key) ?? false,
      isKnown: others.length > 0 || (derived !== undefined && Object.hasOwn(derived, key)),
    };
  }

  #together(items: readonly JsonNode[]): ValueId {
    if (items.length === 1) return this.#id(items[0]!);
    return items.length === 0 ? NULL : this.values.list(items.map((item) => this.#id(item)));
  }

  /** An object stands for its JSON text; Azure's `{value, localizedValue}` for its value. */
  #id(node: JsonNode): ValueId {
    if (isLeaf(node)) return node.id(this.#values);
    if (isTree(node) && isLocalised(node)) return this.#id(node.value!);
    return this.values.intern(JSON.stringify(plainValue(node)));
  }
}

/** Whether it is one of Azure's pairs of a value and its translation. */
function isLocalised(node: JsonTree): boolean {
  return isLeaf(node.value) && node.value.isString && ('localizedValue' in node || 'localized_value' in node);
}
