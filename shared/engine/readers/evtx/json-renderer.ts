import type { Typed } from './nodes.ts';
import { type Content, LONGEST_OUTPUT, Parts } from './pieces.ts';
import type { ElementPart } from './nodes.ts';
import type { RecordFrame } from './record-frame.ts';
import { DEEPEST_ELEMENT } from './tokens.ts';

/** Elements whose Data children go by their names. */
export const containers: ReadonlySet<string> = new Set(['EventData', 'UserData']);
const MOST_KEYS = 10_000;
/** Names as JSON, as the same ones stand in record after record. */
const keys = new Map<string, string>();

/** The event as JSON in the layout of evtx_dump, whatever it consists of; slow. */
export function renderedJson(frame: RecordFrame): string {
  const parts = new Parts(frame);
  return `{${new JsonRenderer(parts).members(parts.roots(), false)}}`;
}

class JsonRenderer {
  readonly #parts: Parts;
  #depth = 0;
  #length = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** One member per element, and one for all Data elements of a name where they are in a container. */
  members(elements: readonly ElementPart[], isContainer: boolean): string {
    const values = new Map<string, string>();
    const lists = new Set<string>();
    for (const element of elements) {
      const { name } = element.piece;
      const key = isContainer && name === 'Data' ? this.#parts.dataName(element) : undefined;
      for (const value of this.#values(element, key !== undefined)) {
        if (key === undefined) {
          values.set(freeKey(values, name), value);
        } else {
          const before = values.get(key);
          values.set(key, before === undefined ? value : `${before},${value}`);
          if (before !== undefined) lists.add(key);
        }
      }
    }
    let text = '';
    for (const [key, value] of values) {
      const whole = lists.has(key) ? `[${value}]` : value;
      text += `${text === '' ? '' : ','}${key === '' ? `"Data":{"#text":${whole}}` : `${keyJson(key)}:${whole}`}`;
    }
    return text;
  }

  /** An element's value; several when an array stands in it. */
  #values(element: ElementPart, isData: boolean): readonly string[] {
    if (this.#depth === DEEPEST_ELEMENT || this.#length > LONGEST_OUTPUT) return ['null'];
    this.#depth++;
    const content = this.#parts.open(element);
    const attributes = this.#attributes(element, isData);
    const isObject = content.children.length > 0 || attributes !== '';
    const values = isObject ? [this.#object(element, content, attributes)] : this.#texts(content, isData);
    this.#depth--;
    return values;
  }

  #texts({ texts }: Content, isData: boolean): readonly string[] {
    const values = this.#parts.values(texts);
    const isEmpty = values.length === 0 || (values.length === 1 && values[0] === '');
    return isEmpty ? [isData ? '""' : 'null'] : values.map((value) => this.#json(value));
  }

  #object({ piece }: ElementPart, { texts, children }: Content, attributes: string): string {
    const members = attributes === '' ? [] : [`"#attributes":{${attributes}}`];
    const shown = this.#parts.values(texts).filter((value) => String(value).trim() !== '');
    const values = shown.map((value) => this.#json(value));
    if (values.length > 0) members.push(`"#text":${values.length === 1 ? values[0] : `[${values.join(',')}]`}`);
    if (children.length > 0) members.push(this.members(children, containers.has(piece.name)));
    return `{${members.join(',')}}`;
  }

  #attributes({ piece, instance }: ElementPart, isData: boolean): string {
    let text = '';
    for (const { name, content } of piece.attributes) {
      if (isData && name === 'Name') continue;
      const values = this.#parts.values(this.#parts.split(content, instance).texts).filter((value) => value !== '');
      if (values.length === 0) continue;
      const value = values.length === 1 ? values[0]! : values.join(',');
      text += `${text === '' ? '' : ','}${keyJson(name)}:${this.#json(value)}`;
    }
    return text;
  }

  #json(value: Typed): string {
    if (this.#length > LONGEST_OUTPUT) return 'null';
    const json = typeof value === 'string' ? JSON.stringify(value) : String(value);
    this.#length += json.length;
    return json;
  }
}

function keyJson(key: string): string {
  let json = keys.get(key);
  if (json === undefined) {
    if (keys.size >= MOST_KEYS) keys.clear();
    json = JSON.stringify(key);
    keys.set(key, json);
  }
  return json;
}

export function freeKey(values: ReadonlyMap<string, unknown>, name: string): string {
  if (!values.has(name)) return name;
  let suffix = 1;
  while (values.has(`${name}_${suffix}`)) suffix++;
  return `${name}_${suffix}`;
}
