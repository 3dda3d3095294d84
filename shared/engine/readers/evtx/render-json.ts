import { DEEPEST_ELEMENT } from './tokens.ts';
import type { EvtxEvent } from './evtx-event.ts';
import type { Typed } from './nodes.ts';
import { type ElementPart, LONGEST_OUTPUT, Parts } from './pieces.ts';

const containers: ReadonlySet<string> = new Set(['EventData', 'UserData']);

/**
 * The event as one line of JSON in the layout of evtx_dump (detection-engine 2.6): attributes under
 * `#attributes`, text beside them under `#text`, Data elements by their names, other repeated names
 * suffixed `_1`, `_2` and so on. What goes beyond 4 MiB in one record is null.
 */
export function eventJson(event: EvtxEvent): string {
  const parts = new Parts(event.frame);
  return `{${new JsonRenderer(parts).members(parts.roots(), false).join(',')}}`;
}

class JsonRenderer {
  readonly #parts: Parts;
  #depth = 0;
  #length = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** One member per element, and one for all Data elements of a name where they are in a container. */
  members(elements: readonly ElementPart[], isContainer: boolean): string[] {
    const values = new Map<string, string[]>();
    const data = new Set<string>();
    for (const element of elements) {
      const isData = isContainer && element.piece.name === 'Data';
      const rendered = this.#values(element, isData);
      if (isData) {
        const key = this.#parts.dataName(element) || 'Data';
        const known = data.has(key) ? values.get(key)! : [];
        data.add(key);
        known.push(...rendered);
        values.set(key, known);
      } else {
        for (const value of rendered) values.set(freeKey(values, element.piece.name), [value]);
      }
    }
    return [...values].map(([key, list]) => {
      const value = list.length === 1 ? list[0]! : `[${list.join(',')}]`;
      return `${JSON.stringify(key)}:${key === 'Data' && data.has(key) ? `{"#text":${value}}` : value}`;
    });
  }

  /** An element's value; several when an array stands in it. */
  #values(element: ElementPart, isData: boolean): readonly string[] {
    if (this.#depth === DEEPEST_ELEMENT || this.#length > LONGEST_OUTPUT) return ['null'];
    this.#depth++;
    const { texts, children } = this.#parts.open(element);
    const text = this.#parts.values(texts);
    const attributes = this.#attributes(element, isData);
    let values: readonly string[];
    if (children.length === 0 && attributes === '') {
      const isEmpty = text.length === 0 || (text.length === 1 && text[0] === '');
      values = isEmpty ? [isData ? '""' : 'null'] : text.map((value) => this.#json(value));
    } else {
      const members = attributes === '' ? [] : [`"#attributes":{${attributes}}`];
      const shown = text.filter((value) => String(value).trim() !== '').map((value) => this.#json(value));
      if (shown.length > 0) members.push(`"#text":${shown.length === 1 ? shown[0] : `[${shown.join(',')}]`}`);
      members.push(...this.members(children, containers.has(element.piece.name)));
      values = [`{${members.join(',')}}`];
    }
    this.#depth--;
    return values;
  }

  #attributes({ piece, instance }: ElementPart, isData: boolean): string {
    const members: string[] = [];
    for (const { name, content } of piece.attributes) {
      if (isData && name === 'Name') continue;
      const values = this.#parts.values(this.#parts.split(content, instance).texts).filter((value) => value !== '');
      if (values.length === 0) continue;
      members.push(`${JSON.stringify(name)}:${this.#json(values.length === 1 ? values[0]! : values.join(','))}`);
    }
    return members.join(',');
  }

  #json(value: Typed): string {
    const json = this.#length > LONGEST_OUTPUT ? 'null' : JSON.stringify(value);
    this.#length += json.length;
    return json;
  }
}

function freeKey(values: ReadonlyMap<string, unknown>, name: string): string {
  if (!values.has(name)) return name;
  let suffix = 1;
  while (values.has(`${name}_${suffix}`)) suffix++;
  return `${name}_${suffix}`;
}
