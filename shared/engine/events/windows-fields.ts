import type { NameResolver, Section, SlotName } from './shape.ts';

/** Rule names that mean a System or rendered name, where the event has no such name itself. */
const aliases = new Map([
  ['eventlog', 'Channel'],
  ['computername', 'Computer'],
  ['hostname', 'Computer'],
  ['source', 'Provider_Name'],
  ['systemtime', 'TimeCreated_SystemTime'],
]);

const NONE: readonly number[] = [];

/**
 * Finds a rule's field among the names of a Windows event: detection-engine 1.2.3 steps 1 to 3.
 * EventData and UserData names come first (as written, then with blanks removed or as underscores,
 * then dotted paths), then System names, rendered names and aliases. Within each, exact case beats
 * any other; several slots of the same name are all returned. `EventID` is always the event's own:
 * data of that name is the id of another, such as one that could not be written.
 */
export const resolveWindowsField: NameResolver = (field, slots) => {
  const names = namesOf(slots);
  return (
    (field.toLowerCase() === 'eventid' ? names.system.find(field) : undefined) ??
    names.data.find(field) ??
    names.withoutBlanks.find(field) ??
    names.underscored.find(field) ??
    byPath(field, slots) ??
    names.system.find(field) ??
    names.rendering.find(field) ??
    names.system.find(aliases.get(field.toLowerCase()) ?? '') ??
    NONE
  );
};

/**
 * Whether `Data` is one text in this channel: classic PowerShell splits one message over unnamed
 * values, and rules mean all of it. The reader then gives the values joined by line feeds.
 */
export function joinsUnnamedData(channel: string): boolean {
  return channel.toLowerCase() === 'windows powershell';
}

/** Slots by name, found by exact case or else by any. */
class Names {
  readonly #byLower = new Map<string, { readonly names: string[]; readonly slots: number[] }>();

  add(name: string, slot: number): void {
    const lower = name.toLowerCase();
    const known = this.#byLower.get(lower);
    if (known === undefined) {
      this.#byLower.set(lower, { names: [name], slots: [slot] });
      return;
    }
    known.names.push(name);
    known.slots.push(slot);
  }

  find(name: string): readonly number[] | undefined {
    const known = this.#byLower.get(name.toLowerCase());
    if (known === undefined) return undefined;
    const { names, slots } = known;
    const exact = names.length === 1 ? NONE : slots.filter((_, at) => names[at] === name);
    return exact.length === 0 ? slots : exact;
  }
}

type SlotIndex = Readonly<Record<Section | 'withoutBlanks' | 'underscored', Names>>;

/** Rules ask a shape for hundreds of names, so its slots are indexed at the first. */
const indexes = new WeakMap<readonly SlotName[], SlotIndex>();

function namesOf(slots: readonly SlotName[]): SlotIndex {
  let names = indexes.get(slots);
  if (names === undefined) {
    names = index(slots);
    indexes.set(slots, names);
  }
  return names;
}

function index(slots: readonly SlotName[]): SlotIndex {
  const names: SlotIndex = {
    data: new Names(),
    system: new Names(),
    rendering: new Names(),
    withoutBlanks: new Names(),
    underscored: new Names(),
  };
  for (let slot = 0; slot < slots.length; slot++) {
    const { name, section } = slots[slot]!;
    names[section].add(name, slot);
    if (section !== 'data' || !name.includes(' ')) continue;
    names.withoutBlanks.add(name.replaceAll(' ', ''), slot);
    names.underscored.add(name.replaceAll(' ', '_'), slot);
  }
  return names;
}

/** A dotted name is a path of nested elements, or the end of one. */
function byPath(field: string, slots: readonly SlotName[]): readonly number[] | undefined {
  if (!field.includes('.')) return undefined;
  const end = `.${field.toLowerCase()}`;
  const found: number[] = [];
  for (const [slot, { path }] of slots.entries()) {
    if (path !== undefined && `.${path.toLowerCase()}`.endsWith(end)) found.push(slot);
  }
  return found.length > 0 ? found : undefined;
}
