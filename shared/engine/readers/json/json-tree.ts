import { GivenLeaf, JsonLeaf, ScannedLeaf } from './json-leaf.ts';
import { entry, type JsonScan } from './json-scan.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/** A JSON value whose scalars are places in a record, not yet looked at. */
export type JsonNode = JsonLeaf | readonly JsonNode[] | JsonTree;

export interface JsonTree {
  readonly [key: string]: JsonNode | undefined;
}

/** The record that has been scanned. Of keys that repeat the last one counts, at the place of the first. */
export function treeOf(scan: JsonScan): JsonTree {
  let at = 0;
  const next = (): JsonNode => {
    const place = at++;
    const kind = scan.entry(place);
    if (kind === entry.array) {
      const items: JsonNode[] = [];
      while (scan.entry(at) !== entry.close) items.push(next());
      at++;
      return items;
    }
    if (kind !== entry.object) return new ScannedLeaf(scan, place);
    const members = newTree();
    while (scan.entry(at) !== entry.close) {
      const name = scan.name(at);
      members[name] = next();
    }
    at++;
    return members;
  };
  return next() as JsonTree;
}

/** The same tree for an object that has been read by other means. */
export function givenTree(record: JsonObject): JsonTree {
  return givenNode(record) as JsonTree;
}

/** What is written at a node. */
export function plainValue(node: JsonNode): JsonValue {
  if (node instanceof JsonLeaf) return node.value();
  if (isList(node)) return node.map(plainValue);
  // fromEntries defines names such as __proto__ as any other.
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, plainValue(inner!)]));
}

export function isTree(node: JsonNode | undefined): node is JsonTree {
  return node !== undefined && !(node instanceof JsonLeaf) && !Array.isArray(node);
}

export function isLeaf(node: JsonNode | undefined): node is JsonLeaf {
  return node instanceof JsonLeaf;
}

/** The node, unless it is null. */
export function present(node: JsonNode | undefined): JsonNode | undefined {
  return isLeaf(node) && node.isNull ? undefined : node;
}

/** Value at a dotted path; a key that has the dots in it counts too. */
export function nodeAt(object: JsonTree, path: string): JsonNode | undefined {
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const inner = object[path.slice(0, dot)];
    const found = isTree(inner) ? nodeAt(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Text at a dotted path, of the first value where it has several; empty where there is none. */
export function textAt(object: JsonTree, path: string): string {
  const node = nodeAt(object, path);
  const first = isList(node) ? node[0] : node;
  return isLeaf(first) ? first.text() : '';
}

export function isList(node: JsonNode | undefined): node is readonly JsonNode[] {
  return Array.isArray(node);
}

function givenNode(value: JsonValue): JsonNode {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(givenNode);
  if (typeof value !== 'object' || value === null) return new GivenLeaf(value);
  const members = newTree();
  for (const [key, inner] of Object.entries(value as JsonObject)) members[key] = givenNode(inner!);
  return members;
}

/** Without prototype, so that no key is more than a key. */
function newTree(): Record<string, JsonNode> {
  return Object.create(null) as Record<string, JsonNode>;
}
