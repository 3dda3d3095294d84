import { addressesIn } from './addresses.ts';
import { ValueMemo } from './value-memo.ts';

/** Kinds of things that events name (resolved-intel 1.2), in display order. */
export const entityTypes = [
  'user',
  'computer',
  'ip_address',
  'hash',
  'executable',
  'domain',
  'cmdline_file',
  'service',
  'task',
] as const;
export type EntityType = (typeof entityTypes)[number];

/** Which fields name what (resolved-platform 5.2); field names are case-sensitive, and one may be in several lists. */
export interface EntityFields {
  readonly fields: Readonly<
    Record<Exclude<EntityType, 'ip_address' | 'cmdline_file'> | 'ip' | 'command_line', readonly string[]>
  >;
  /** Lower-case. */
  readonly ignoredUsers: readonly string[];
  /** Lower-case, with their dot. */
  readonly commandLineExtensions: readonly string[];
}

/** One thing by its normalised value; the same object each time within an extractor. */
export interface Entity {
  readonly type: EntityType;
  readonly value: string;
}

type Add = (type: EntityType, value: string) => void;
type Extract = (value: string, add: Add) => void;

const longestValue = 500;
const placeholderHosts = new Set(['', 'offline', '-', 'n/a', 'unknown']);
const hashLengths = new Set([32, 40, 64, 128]);

/** Host names have an alphabetic top level, which addresses and version numbers do not. */
const hostName = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z](?:[a-z-]{0,61}[a-z])$/;

const executableOf: Extract = (value, add) => {
  const name = baseName(value);
  if (name.length > 1 && name !== '..') add('executable', name);
};

const hashesIn: Extract = (value, add) => {
  for (const part of value.split(',')) {
    const hex = part.slice(part.lastIndexOf('=') + 1).trim();
    if (hashLengths.has(hex.length) && /^[0-9a-f]+$/i.test(hex)) add('hash', hex.toUpperCase());
  }
};

const ipsIn: Extract = (value, add) => {
  for (const address of addressesIn(value)) add('ip_address', address);
};

/** Also of names with several values, as answers of DNS: `a.example;10.0.0.1`. */
const domainsIn: Extract = (value, add) => {
  for (const part of value.split(/[;,\s]+/)) {
    const name = part.toLowerCase().replace(/\.$/, '');
    if (name.includes(':') || /^[\d.]+$/.test(name)) ipsIn(name, add);
    else if (name.includes('.') && hostName.test(name)) add('domain', name);
  }
};

const textOf =
  (type: EntityType): Extract =>
  (value, add) => {
    const text = value.trim().slice(0, longestValue);
    if (text !== '' && text !== '-') add(type, text);
  };

const computerOf: Extract = (value, add) => {
  const name = value.trim();
  if (!placeholderHosts.has(name.toLowerCase())) add('computer', name);
};

/** Last component of a path of either kind, lower-case. */
export function baseName(path: string): string {
  const trimmed = path.trim();
  return trimmed.slice(Math.max(trimmed.lastIndexOf('\\'), trimmed.lastIndexOf('/')) + 1).toLowerCase();
}

/** Finds the things that events name; what it made of a value it remembers, within bounds. */
export class EntityExtractor {
  readonly #byField = new Map<string, Extract[]>();
  readonly #interned = new Map<EntityType, Map<string, Entity>>();
  readonly #known = new ValueMemo<readonly Entity[]>(() => this.#interned.clear());

  constructor({ fields, ignoredUsers, commandLineExtensions }: EntityFields) {
    const ignored = new Set(ignoredUsers);
    const extensions = new Set(commandLineExtensions);
    const extracts: Readonly<Record<keyof EntityFields['fields'], Extract>> = {
      ip: ipsIn,
      hash: hashesIn,
      executable: executableOf,
      domain: domainsIn,
      command_line: (value, add) => filesIn(value, extensions, add),
      user: (value, add) => {
        const name = value.trim();
        if (!ignored.has(name.toLowerCase()) && !name.endsWith('$')) add('user', name);
      },
      service: textOf('service'),
      task: textOf('task'),
      computer: computerOf,
    };
    for (const [kind, names] of Object.entries(fields)) {
      for (const name of names) {
        const extract = extracts[kind as keyof EntityFields['fields']];
        this.#byField.set(name, [...(this.#byField.get(name) ?? []), extract]);
      }
    }
  }

  /** Calls `visit` for each thing that a value of this field names; none twice. */
  read(field: string, value: string, visit: (entity: Entity) => void): void {
    const extracts = this.#byField.get(field);
    if (extracts === undefined) return;
    for (const entity of this.#entitiesOf(field, value, extracts)) visit(entity);
  }

  /** The computer that an event's head names; null for a placeholder. */
  computer(name: string): Entity | null {
    let found: Entity | null = null;
    computerOf(name, (type, value) => (found = this.#intern(type, value)));
    return found;
  }

  #entitiesOf(field: string, value: string, extracts: readonly Extract[]): readonly Entity[] {
    return this.#known.of(field, value, () => {
      const found = new Set<Entity>();
      for (const extract of extracts) extract(value, (type, normalised) => found.add(this.#intern(type, normalised)));
      return [...found];
    });
  }

  #intern(type: EntityType, value: string): Entity {
    let ofType = this.#interned.get(type);
    if (ofType === undefined) this.#interned.set(type, (ofType = new Map()));
    let entity = ofType.get(value);
    if (entity === undefined) ofType.set(value, (entity = { type, value }));
    return entity;
  }
}

/** Names of files on a command line, by the extensions that scripts and programs have. */
function filesIn(commandLine: string, extensions: ReadonlySet<string>, add: Add): void {
  for (const token of commandLine.split(/\s+/)) {
    if (token.startsWith('-') && token.includes('=')) continue;
    for (const piece of token.split(/\\?["'=]/)) {
      const name = baseName(piece);
      const dot = name.lastIndexOf('.');
      if (dot > 0 && extensions.has(name.slice(dot))) add('cmdline_file', name);
    }
  }
}
