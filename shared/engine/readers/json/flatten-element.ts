import type { Section } from '../../events/shape.ts';
import type { JsonLeaf } from './json-leaf.ts';
import { isLeaf, isTree, type JsonNode, type JsonTree, present } from './json-tree.ts';
import type { Sink } from './windows-json-event.ts';

const deepest = 64;
const attributesSuffix = '_attributes';

/** Where an element stands: its own name, and the names down to it where they matter. */
export interface Place {
  readonly section: Section;
  readonly name: string;
  readonly path?: string;
  readonly depth?: number;
}

/**
 * The values of a JSON property that was an XML element: its text (the value itself or `#text` in
 * it), its attributes (`#attributes`), and its children (the rest).
 */
export function flattenElement(value: JsonNode, place: Place, sink: Sink): void {
  const { section, name, path, depth = 0 } = place;
  if (isLeaf(value)) sink.add(section, name, value, path);
  else if (depth > deepest) return;
  else if (isTree(value)) flattenObject(value, place, sink);
  else if (value.every(isLeaf)) sink.add(section, name, value, path);
  else for (const item of value) flattenElement(item, { ...place, depth: depth + 1 }, sink);
}

/** The children of a section of an event, each under its own name. */
export function flattenChildren(parent: JsonTree, section: Section, sink: Sink): void {
  eachChild(parent, (name, value) => flattenElement(value, { section, name }, sink));
}

/** The attributes of an element, as `Element_Attribute`. */
export function flattenAttributes(element: JsonTree, { section, name, path }: Place, sink: Sink): void {
  const attributes = element['#attributes'];
  if (!isTree(attributes)) return;
  for (const key in attributes) {
    const value = attributes[key];
    if (!isLeaf(value) || key.startsWith('xmlns')) continue;
    sink.add(section, `${name}_${key}`, value, path && `${path}_${key}`);
  }
}

/** Visits the child elements of an element by their names; `X_attributes` as an X with attributes. */
export function eachChild(parent: JsonTree, visit: (name: string, value: JsonNode) => void): void {
  for (const key in parent) {
    const value = parent[key];
    if (value === undefined || key === '#attributes' || key === '#text') continue;
    if (key.endsWith(attributesSuffix) && isTree(value)) {
      visit(elementName(parent, key.slice(0, -attributesSuffix.length)), { '#attributes': value });
    } else {
      visit(elementName(parent, key), value);
    }
  }
}

/** Value of an element's attribute; undefined when it has none of that name, or null. */
export function attribute(element: JsonNode, name: string): JsonLeaf | undefined {
  const attributes = isTree(element) ? element['#attributes'] : undefined;
  const value = isTree(attributes) ? attributes[name] : undefined;
  return isLeaf(value) && !value.isNull ? value : undefined;
}

function flattenObject(element: JsonTree, place: Place, sink: Sink): void {
  const { section, name, path = name } = place;
  const depth = (place.depth ?? 0) + 1;
  const text = present(element['#text']);
  if (text !== undefined) flattenElement(text, { ...place, depth }, sink);
  else if (Object.keys(element).length === 0) sink.add(section, name, [], place.path);
  flattenAttributes(element, place, sink);
  eachChild(element, (child, value) =>
    flattenElement(value, { section, name: child, path: `${path}.${child}`, depth }, sink),
  );
}

/**
 * Name of the element behind a key: converters to JSON number the elements of one name `X`, `X_1`,
 * `X_2`, because a key can stand only once.
 */
function elementName(parent: JsonTree, key: string): string {
  const last = key.charCodeAt(key.length - 1);
  if (last < 0x30 || last > 0x39) return key;
  const numbered = /^(.+)_([1-9]\d{0,4})$/.exec(key);
  if (numbered === null) return key;
  const [, base = '', number = ''] = numbered;
  const before = number === '1' ? base : `${base}_${Number(number) - 1}`;
  const has = (name: string): boolean => Object.hasOwn(parent, name) || Object.hasOwn(parent, name + attributesSuffix);
  return has(base) && has(before) ? base : key;
}
