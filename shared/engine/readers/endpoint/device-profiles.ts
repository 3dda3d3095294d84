import type { Derive, HeadNames, Profile } from '../named/profile.ts';
import { type DeviceKind, deviceKinds, sourceOf, type System, systems } from './device-kinds.ts';

/** Where records have what rules ask for by Sysmon's names, which are in lower case here. */
export interface Names {
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly derived?: Readonly<Record<string, Derive>>;
}

/** How an endpoint product tells of what happens on a device. */
export interface Product {
  readonly head: HeadNames;
  /** What records of all kinds but starts of processes say of the process that was acting. */
  readonly actor: Names;
  /** Of a start: what was started, and as its parent who did that. */
  readonly process: Names;
  /** See {@link Profile.rewritten}. */
  readonly rewritten?: ReadonlySet<string>;
  readonly kinds?: Partial<Readonly<Record<DeviceKind, Names>>>;
}

const eventTypes: Partial<Record<DeviceKind, string>> = {
  registryAdded: 'CreateKey',
  registrySet: 'SetValue',
  registryKeyDeleted: 'DeleteKey',
  registryValueDeleted: 'DeleteValue',
  registryRenamed: 'RenameKey',
};

/** The same names for whatever is done to a file. */
export function ofFiles(names: Names): NonNullable<Product['kinds']> {
  return { fileCreated: names, fileModified: names, fileDeleted: names, fileRenamed: names };
}

/** The same names for whatever is done to a key of the registry or a value in it. */
export function ofRegistry(names: Names): NonNullable<Product['kinds']> {
  return Object.fromEntries(Object.keys(eventTypes).map((kind) => [kind, names]));
}

/** The profiles of a product's records, each made once. */
export function deviceProfiles(product: Product): (kind: DeviceKind, system: System) => Profile {
  const profiles = new Map<string, Profile>();
  for (const kind of deviceKinds) {
    const { aliases, derived } = namesOf(product, kind);
    for (const system of systems) {
      const { head, rewritten } = product;
      const source = sourceOf(kind, system);
      profiles.set(`${kind} ${system}`, { source, aliases, derived, head, ...(rewritten && { rewritten }) });
    }
  }
  return (kind, system) => profiles.get(`${kind} ${system}`)!;
}

function namesOf({ actor, process, kinds }: Product, kind: DeviceKind): Required<Names> {
  const base = kind === 'process' ? process : actor;
  const own = kinds?.[kind];
  const eventType = eventTypes[kind];
  return {
    aliases: { ...base.aliases, ...own?.aliases },
    derived: { ...base.derived, ...(eventType !== undefined && { eventtype: () => eventType }), ...own?.derived },
  };
}
