import {
  CORE_SCHEMA,
  dump,
  defineScalarTag,
  EVENT_ID,
  type Event,
  getScalarValue,
  loadAll,
  NOT_RESOLVED,
  parseEvents,
  YAMLException,
} from 'js-yaml';

/** Keys and positions that lead from the root of a document to one of its nodes. */
export type YamlPath = readonly (string | number)[];

/** One document of a rule file. Integers are bigints, so that none loses digits and none is a float. */
export interface YamlDocument {
  readonly value: unknown;
  /** Its own text. */
  readonly source: string;
  /** 1-based line of the file on which it begins. */
  readonly line: number;
  /** 1-based line of the file on which a node stands, or the nearest one around it that can be told. */
  lineOf(path: YamlPath): number;
}

export interface YamlFailure {
  readonly line: number;
  readonly message: string;
}

const longestFile = 4 * 1024 * 1024;
const limits = { maxAliases: 1000, maxDepth: 64 };
/** Of a document, once what its aliases stand for is counted each time. */
const mostNodes = 200_000;
const longestInteger = 40;

const integerTag = defineScalarTag('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: '+-0123456789'.split(''),
  resolve(source) {
    const [, sign = '', digits = ''] = /^([-+]?)(\d+|0o[0-7]+|0x[0-9a-f]+)$/i.exec(source) ?? [];
    if (digits === '' || digits.length > longestInteger) return NOT_RESOLVED;
    return sign === '-' ? -BigInt(digits) : BigInt(digits);
  },
  identify: () => false,
});
const schema = CORE_SCHEMA.withTags(integerTag);

/** Reads the documents of a rule file; one that cannot be read does not stop the others (1.1). */
export function readDocuments(text: string): (YamlDocument | YamlFailure)[] {
  if (text.length > longestFile) return [{ line: 1, message: 'The file is larger than 4 MiB' }];
  return splitDocuments(text).map(({ source, line }) => {
    try {
      const [value] = loadAll(source, { schema, ...limits });
      if (nodesOf(value, new Map()) > mostNodes) {
        return { line, message: `With its aliases replaced the document has more than ${mostNodes} values` };
      }
      let lines: Map<string, number> | undefined;
      const lineOf = (path: YamlPath): number => {
        lines ??= nodeLines(source);
        let length = path.length;
        while (length > 0 && !lines.has(keyOf(path.slice(0, length)))) length--;
        return line + (lines.get(keyOf(path.slice(0, length))) ?? 0);
      };
      return { value, source, line, lineOf };
    } catch (error) {
      if (error instanceof YAMLException) {
        return { line: line + (error.mark?.line ?? 0), message: `Not readable as YAML: ${error.reason}` };
      }
      return { line, message: `Not readable as YAML: ${error instanceof Error ? error.message : String(error)}` };
    }
  });
}

/** Reads the one document that a text of strangers may be: shallow, and without what stands for something else. */
export function readPlainDocument(
  text: string,
  { maxDepth, mostEvents }: { readonly maxDepth: number; readonly mostEvents: number },
): YamlDocument | YamlFailure {
  const lineAt = lineCounter(text);
  try {
    const events = parseEvents(text, { maxDepth });
    if (events.length > mostEvents) return { line: 1, message: `There are more than ${mostEvents} parts` };
    const alias = events.find(({ type }) => type === EVENT_ID.ALIAS);
    if (alias) return { line: 1 + lineAt(startOf(alias)), message: 'Aliases are refused' };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { line: 1 + (error.mark?.line ?? 0), message: `Not readable as YAML: ${error.reason}` };
  }
  const [document, second] = readDocuments(text);
  if (second) return { line: second.line, message: 'There is more than one document' };
  return document ?? { line: 1, message: 'The document is empty' };
}

/** A value as a document: long texts in one line each, nothing by reference. */
export function writeDocument(value: unknown): string {
  return dump(value, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true });
}

/** Nodes of a value, those of a shared part as often as it is met; endless for one that holds itself. */
function nodesOf(value: unknown, known: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, Infinity);
  let nodes = 1;
  for (const part of Object.values(value)) nodes += nodesOf(part, known);
  known.set(value, nodes);
  return nodes;
}

/** Cuts a file at its document marks; what stands on a mark's own line stays, comments and directives alone do not. */
function splitDocuments(text: string): { source: string; line: number }[] {
  const documents: { source: string; line: number }[] = [];
  let lines: string[] = [];
  let from = 1;
  const end = (next: number, first: string): void => {
    const source = lines.join('\n');
    if (/^(?!%)[^\S\n]*[^\s#]/m.test(source)) documents.push({ source, line: from });
    lines = first.trim() === '' ? [] : [first];
    from = next + 1 - lines.length;
  };
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) end(at + 1, `   ${line.slice(3)}`);
    else lines.push(line);
  }
  end(0, '');
  return documents;
}

/** 0-based lines of all nodes of a document, by path; an aliased node has its anchor's path only. */
function nodeLines(source: string): Map<string, number> {
  const lines = new Map<string, number>();
  const events = parseEvents(source, { maxDepth: limits.maxDepth });
  const lineAt = lineCounter(source);
  let at = 0;
  const node = (path: YamlPath, line: number | null): void => {
    const event = events[at++];
    if (event === undefined) return;
    lines.set(keyOf(path), line ?? lineAt(startOf(event)));
    if (event.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; !ends(events[at]); index++) node([...path, index], null);
      at++;
    } else if (event.type === EVENT_ID.MAPPING) {
      while (!ends(events[at])) {
        const key = events[at]!;
        if (key.type === EVENT_ID.SCALAR) {
          at++;
          node([...path, getScalarValue(source, key)], lineAt(startOf(key)));
        } else {
          node([...path, ''], null);
          node([...path, ''], null);
        }
      }
      at++;
    }
  };
  if (events[0]?.type === EVENT_ID.DOCUMENT) at++;
  node([], 0);
  return lines;
}

function keyOf(path: YamlPath): string {
  return path.join('\u0000');
}

function ends(event: Event | undefined): boolean {
  return event === undefined || event.type === EVENT_ID.POP;
}

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return 'start' in event ? event.start : 0;
}

/** Line of an offset, by halving. */
function lineCounter(source: string): (offset: number) => number {
  const breaks: number[] = [];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) breaks.push(at);
  return (offset) => {
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (breaks[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
