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
/** All zeros is what Sysmon writes for none. */
const isHash = /^(?!0+$)[0-9a-f]+$/i;
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
    if (hashLengths.has(hex.length) && isHash.test(hex)) add('hash', hex.toUpperCase());
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

/** What a value is looked at for: the lists of fields, and the file that a path of its own names. */
export type EntityKind = keyof EntityFields['fields'] | 'file';

/** Fields with the path of a file that an event tells of (resolved-intel 6.1). */
const fileFields = ['TargetFilename'];

/** Finds what the values of some fields name; one object for all fields that name the same kinds of things. */
export interface EntityReader {
  /** Dense number, good as an array index. */
  readonly index: number;
  read(value: string, add: Add): void;
}

/** The readers of all fields. */
export class EntityReaders {
  readonly #extracts: Readonly<Record<EntityKind, Extract>>;
  readonly #kinds = new Map<string, EntityKind[]>();
  readonly #readers = new Map<string, EntityReader>();

  constructor({ fields, ignoredUsers, commandLineExtensions }: EntityFields) {
    const ignored = new Set(ignoredUsers);
    const files = new FileNames(commandLineExtensions);
    this.#extracts = {
      ip: ipsIn,
      hash: hashesIn,
      executable: executableOf,
      domain: domainsIn,
      command_line: (value, add) => files.inCommandLine(value, add),
      file: (value, add) => files.ofPath(value, add),
      user: (value, add) => {
        const name = value.trim();
        if (!ignored.has(name.toLowerCase()) && !name.endsWith('$')) add('user', name);
      },
      service: textOf('service'),
      task: textOf('task'),
      computer: computerOf,
    };
    for (const [kind, names] of Object.entries({ ...fields, file: fileFields }) as [EntityKind, readonly string[]][]) {
      for (const name of names) this.#kinds.set(name, [...(this.#kinds.get(name) ?? []), kind]);
    }
  }

  /** Undefined for a field that names nothing. */
  ofField(name: string): EntityReader | undefined {
    const kinds = this.#kinds.get(name);
    return kinds && this.of(...kinds);
  }

  of(...kinds: readonly EntityKind[]): EntityReader {
    const key = [...kinds].sort().join(' ');
    let reader = this.#readers.get(key);
    if (reader === undefined) {
      const extracts = kinds.map((kind) => this.#extracts[kind]);
      const read: Extract = (value, add) => extracts.forEach((extract) => extract(value, add));
      this.#readers.set(key, (reader = { index: this.#readers.size, read }));
    }
    return reader;
  }
}

/** Finds the things that events name; what it made of a value it remembers, within bounds. */
export class EntityExtractor {
  readonly #readers: EntityReaders;
  readonly #interned = new Map<EntityType, Map<string, Entity>>();
  readonly #known = new ValueMemo<readonly Entity[]>(() => this.#interned.clear());

  constructor(fields: EntityFields) {
    this.#readers = new EntityReaders(fields);
  }

  /** Calls `visit` for each thing that a value of this field names; none twice. */
  read(field: string, value: string, visit: (entity: Entity) => void): void {
    const reader = this.#readers.ofField(field);
    if (reader === undefined) return;
    for (const entity of this.#entitiesOf(field, value, reader)) visit(entity);
  }

  /** The computer that an event's head names; null for a placeholder. */
  computer(name: string): Entity | null {
    let found: Entity | null = null;
    computerOf(name, (type, value) => (found = this.#intern(type, value)));
    return found;
  }

  #entitiesOf(field: string, value: string, reader: EntityReader): readonly Entity[] {
    return this.#known.of(field, value, () => {
      const found = new Set<Entity>();
      reader.read(value, (type, normalised) => found.add(this.#intern(type, normalised)));
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

/** Names of files by the extensions that scripts and programs have. */
class FileNames {
  readonly #extensions: ReadonlySet<string>;
  /** Where a name may end: few texts have any such place, and long ones are searched for nothing else. */
  readonly #end: RegExp;

  constructor(extensions: readonly string[]) {
    this.#extensions = new Set(extensions);
    const any = extensions.map((extension) => extension.replace(/[^a-z0-9]/gi, '\\$&')).join('|');
    this.#end = new RegExp(any === '' ? '$.' : `(?:${any})(?=[\\s"'=\\\\]|$)`, 'gi');
  }

  /** Those on a command line, and in a script. */
  inCommandLine(commandLine: string, add: Add): void {
    const end = this.#end;
    end.lastIndex = 0;
    for (let found = end.exec(commandLine); found !== null; found = end.exec(commandLine)) {
      const from = wordStart(commandLine, found.index);
      const to = wordEnd(commandLine, end.lastIndex);
      this.#inWord(commandLine.slice(from, to), add);
      end.lastIndex = to;
    }
  }

  /** That of a path. */
  ofPath(path: string, add: Add): void {
    const name = baseName(path);
    const dot = name.lastIndexOf('.');
    if (dot > 0 && this.#extensions.has(name.slice(dot))) add('cmdline_file', name);
  }

  #inWord(word: string, add: Add): void {
    if (word.startsWith('-') && word.includes('=')) return;
    for (const piece of word.split(/\\?["'=]/)) this.ofPath(piece, add);
  }
}

const blank = /\s/;

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !blank.test(text[start - 1]!)) start--;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !blank.test(text[end]!)) end++;
  return end;
}
