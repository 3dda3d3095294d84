import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { packRules, unpackRules } from '../sigma/artifact.ts';
import { type LoadedRules, type LoadOptions, loadRules } from '../sigma/load-rules.ts';
import { listRuleFiles, readRuleFiles, type RuleFileEntry } from './rule-files.ts';

/** Where compiled rules are kept from one process to the next. */
export interface RuleCache {
  /** Made when it is missing. */
  readonly folder: string;
  /** Differs between any two engines that might compile a rule differently. */
  readonly engine: string;
}

/** Sets of compiled rules kept; the oldest go first. All SigmaHQ rules take 15 MB. */
const mostSets = 8;
const mostStates = 64;
/** Files changed so shortly before they were read may change again without another time. */
const settledAfterMs = 2000;
const headerBytes = 8;

/**
 * Loads rules as `loadRules` does from `readRuleFiles`, with what the cache has where the files are
 * the same (detection-engine 4.3.8): by their sizes and times, or else by what is in them. A cache that
 * cannot be read or written is done without.
 */
export async function loadRulesFrom(
  paths: readonly string[],
  options: LoadOptions = {},
  cache?: RuleCache,
): Promise<LoadedRules> {
  if (cache === undefined) return loadRules(await readRuleFiles(paths), options);
  const store = new Store(cache.folder);
  const listedAt = Date.now();
  const entries = listRuleFiles(paths);
  const state = stateOf(entries, paths, cache, options);
  const known = store.read(store.contentOf(state));
  if (known !== undefined) return known;
  const files = entries.map(({ path }) => ({ path, bytes: readFileSync(path) }));
  const content = digest([cache.engine, keyOf(options), ...files.flatMap(({ path, bytes }) => [path, bytes])]);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let loaded = store.read(content);
  if (loaded === undefined) {
    loaded = loadRules(
      files.map(({ path, bytes }) => ({ path, text: decoder.decode(bytes) })),
      options,
    );
    store.write(content, loaded);
  }
  if (entries.every((entry) => isSettled(entry, listedAt))) store.link(state, content);
  return loaded;
}

function isSettled({ mtimeNs, ctimeNs }: RuleFileEntry, now: number): boolean {
  const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return changed < BigInt(now - settledAfterMs) * 1_000_000n;
}

/** What tells, without reading them, that files are as they were. */
function stateOf(
  entries: readonly RuleFileEntry[],
  paths: readonly string[],
  { engine }: RuleCache,
  options: LoadOptions,
): string {
  const files = entries.map(({ path, size, mtimeNs, ctimeNs }) => `${path}\0${size} ${mtimeNs} ${ctimeNs}`);
  return digest([engine, keyOf(options), ...paths.map((path) => resolve(path)), '', ...files]);
}

function keyOf({ placeholders, unknownPlaceholders = 'reject', includeRetired = false }: LoadOptions): string {
  return JSON.stringify([includeRetired, unknownPlaceholders, ...(placeholders ?? [])]);
}

function digest(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}\0`).update(part);
  return hash.digest('hex');
}

/** The folder: sets by the hash of what they were compiled from, and links to them by the state of the files. */
class Store {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Hash of the content that files in this state have; undefined where that is not known. */
  contentOf(state: string): string | undefined {
    const linked = this.#attempt(() => readFileSync(this.#link(state), 'latin1'));
    return linked !== undefined && /^[0-9a-f]{64}$/.test(linked) ? linked : undefined;
  }

  link(state: string, content: string): void {
    this.#attempt(() => this.#replace(this.#link(state), Buffer.from(content)));
  }

  read(content: string | undefined): LoadedRules | undefined {
    return content === undefined ? undefined : this.#attempt(() => decode(readShared(this.#set(content))));
  }

  write(content: string, loaded: LoadedRules): void {
    this.#attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#replace(this.#set(content), encode(loaded));
      this.#keep(mostSets, '.rules');
      this.#keep(mostStates, '.state');
      this.#keep(0, '.part', Date.now() - 3_600_000);
    });
  }

  #set(content: string): string {
    return join(this.#folder, `${content}.rules`);
  }

  #link(state: string): string {
    return join(this.#folder, `${state}.state`);
  }

  /** Other processes find either the old file or the new one, whole. */
  #replace(path: string, bytes: Uint8Array): void {
    const part = join(this.#folder, `${randomUUID()}.part`);
    try {
      writeFileSync(part, bytes, { mode: 0o600 });
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  }

  /** Removes the oldest files of a kind beyond a number, of those last changed before a time. */
  #keep(most: number, kind: string, before = Number.POSITIVE_INFINITY): void {
    const files = readdirSync(this.#folder)
      .filter((name) => name.endsWith(kind))
      .map((name) => join(this.#folder, name))
      .map((path) => ({ path, changed: statSync(path).mtimeMs }))
      .sort((one, other) => other.changed - one.changed);
    for (const { path, changed } of files.slice(most)) if (changed < before) rmSync(path, { force: true });
  }

  #attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch {
      // Whatever ails the cache, the rules themselves are there.
      return undefined;
    }
  }
}

/** Checksum of all that follows, length of the JSON of what is said of the rules, that JSON, the rules. */
function encode({ rules, ...rest }: LoadedRules): Uint8Array {
  const text = JSON.stringify(rest);
  // The rules are read where they lie if they begin at a multiple of four.
  const json = Buffer.from(text + ' '.repeat(-Buffer.byteLength(text) & 3));
  const bytes = Buffer.concat([Buffer.alloc(headerBytes), json, packRules(rules)]);
  bytes.writeUInt32LE(json.length, 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

/** Into memory that threads can share, so that theirs are not copies. */
function readShared(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.from(new SharedArrayBuffer(fstatSync(file).size));
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Buffer): LoadedRules {
  if (bytes.length < headerBytes || bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) {
    throw new RangeError('The file is damaged');
  }
  const end = headerBytes + bytes.readUInt32LE(4);
  const rest = JSON.parse(bytes.toString('utf8', headerBytes, end)) as Omit<LoadedRules, 'rules'>;
  return { ...rest, rules: unpackRules(bytes.subarray(end)) };
}
