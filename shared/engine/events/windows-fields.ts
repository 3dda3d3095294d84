import type { NameResolver, Section, SlotName } from './shape.ts';

/** Rule names that mean a System or rendered name, where the event has no such name itself. */
const aliases = new Map([
  ['eventlog', 'Channel'],
  ['computername', 'Computer'],
  ['hostname', 'Computer'],
  ['source', 'Provider_Name'],
  ['systemtime', 'TimeCreated_SystemTime'],
]);

/**
 * Finds a rule's field among the names of a Windows event: detection-engine 1.2.3 steps 1 to 3.
 * EventData and UserData names come first (as written, then with blanks removed or as underscores,
 * then dotted paths), then System names, rendered names and aliases. Within each, exact case beats
 * any other; several slots of the same name are all returned.
 */
export const resolveWindowsField: NameResolver = (field, slots) => {
  const found = dataSlots(field, slots);
  if (found.length > 0) return found;
  const named = systemSlots(field, slots);
  if (named.length > 0) return named;
  const alias = aliases.get(field.toLowerCase());
  return alias === undefined ? [] : systemSlots(alias, slots);
};

/**
 * Whether `Data` is one text in this channel: classic PowerShell splits one message over unnamed
 * values, and rules mean all of it. The reader then gives the values joined by line feeds.
 */
export function joinsUnnamedData(channel: string): boolean {
  return channel.toLowerCase() === 'windows powershell';
}

function dataSlots(field: string, slots: readonly SlotName[]): readonly number[] {
  const spellings: ((slot: SlotName) => string)[] = [
    (slot) => slot.name,
    (slot) => slot.name.replaceAll(' ', ''),
    (slot) => slot.name.replaceAll(' ', '_'),
  ];
  for (const spelling of spellings) {
    const found = bySpelling(field, 'data', slots, spelling);
    if (found.length > 0) return found;
  }
  return field.includes('.') ? byPath(field, slots) : [];
}

function systemSlots(field: string, slots: readonly SlotName[]): readonly number[] {
  const system = bySpelling(field, 'system', slots, (slot) => slot.name);
  return system.length > 0 ? system : bySpelling(field, 'rendering', slots, (slot) => slot.name);
}

function bySpelling(
  field: string,
  section: Section,
  slots: readonly SlotName[],
  spelling: (slot: SlotName) => string,
): readonly number[] {
  const exact = where(slots, (slot) => slot.section === section && spelling(slot) === field);
  if (exact.length > 0) return exact;
  const lower = field.toLowerCase();
  return where(slots, (slot) => slot.section === section && spelling(slot).toLowerCase() === lower);
}

/** A dotted name is a path of nested elements, or the end of one. */
function byPath(field: string, slots: readonly SlotName[]): readonly number[] {
  const end = `.${field.toLowerCase()}`;
  return where(slots, (slot) => slot.path !== undefined && `.${slot.path.toLowerCase()}`.endsWith(end));
}

function where(slots: readonly SlotName[], test: (slot: SlotName) => boolean): readonly number[] {
  const found: number[] = [];
  slots.forEach((slot, index) => {
    if (test(slot)) found.push(index);
  });
  return found;
}
