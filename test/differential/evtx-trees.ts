import { flatEvent } from '../support/flat-event.ts';
import type { XmlTree } from '../support/xml-tree.ts';

/** A place of a record where the two differ; undefined where one has nothing. */
export interface Difference {
  readonly form: 'xml' | 'json' | 'field';
  readonly path: string;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/** Compares values, of which it counts all and keeps those that differ. */
export class Comparison {
  values = 0;
  readonly differences: Difference[] = [];

  /** Every text and attribute of two events, those of the second being laid out in lines. */
  xml(ours: XmlTree, theirs: XmlTree, path = ''): void {
    for (const name of new Set([...Object.keys(ours.attributes), ...Object.keys(theirs.attributes)])) {
      this.#compare('xml', `${path}/@${name}`, ours.attributes[name], theirs.attributes[name]);
    }
    this.#compare('xml', path, ours.text, textOf(theirs));
    let at = 0;
    for (const child of theirs.children) {
      const own = ours.children[at];
      const below = `${path}/${child.name}`;
      if (own !== undefined && isSame(own, child)) {
        this.xml(own, child, below);
        at++;
      } else this.#compare('xml', below, undefined, child.children.length > 0 ? '…' : textOf(child));
    }
    for (const child of ours.children.slice(at)) this.#compare('xml', `${path}/${child.name}`, child.text, undefined);
  }

  /** Every value of two JSON documents, and of what type it is. */
  json(ours: unknown, theirs: unknown, path = ''): void {
    if (!isNode(ours) || !isNode(theirs)) {
      this.#compare('json', path, jsonText(ours), jsonText(theirs));
      return;
    }
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      this.json(ours[key], theirs[key], `${path}/${key}`);
    }
  }

  /** What rules see of an event, and what they should see by the other's XML. */
  fields(ours: Readonly<Record<string, string>>, event: XmlTree): void {
    const children = event.children.map(laidOut);
    const system = flatEvent({ ...event, children: children.filter(({ name }) => name === 'System') }, '\u0000');
    const data = flatEvent({ ...event, children: children.filter(({ name }) => name !== 'System') }, '\u0000');
    // EventID is that of the event, whatever its data has under that name.
    const theirs: Record<string, string> = { ...system, ...data };
    if (system.EventID !== undefined) theirs.EventID = system.EventID;
    // There, rules see one text of all unnamed values (detection-engine 1.2.3).
    if (system.Channel === 'Windows PowerShell' && data.Data !== undefined) theirs.Data = joinedData(children);
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      this.#compare('field', `/${name}`, ours[name], theirs[name]);
    }
  }

  #compare(form: Difference['form'], path: string, ours: string | undefined, theirs: string | undefined): void {
    this.values++;
    if (ours === theirs || (ours !== undefined && theirs !== undefined && spelling(ours) === spelling(theirs))) return;
    this.differences.push({ form, path, ours, theirs });
  }
}

/** Fractions of seconds to six digits, GUIDs bare and in upper case; nothing else (detection-engine 2.5). */
function spelling(text: string): string {
  return text
    .replace(/(\d\dT\d\d:\d\d:\d\d\.\d{6})\d*Z/g, '$1Z')
    .replace(/\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?/gi, (_, guid: string) => guid.toUpperCase());
}

function isSame(ours: XmlTree, theirs: XmlTree): boolean {
  return ours.name === theirs.name && (ours.attributes.Name ?? '') === (theirs.attributes.Name ?? '');
}

/** The element's text without what only lays it out: a line break and the blanks before its end. */
function textOf({ text, children }: XmlTree): string {
  return children.length > 0 || /^\n +$/.test(text) ? text.trim() : text;
}

function joinedData(sections: readonly XmlTree[]): string {
  const elements = sections.flatMap(({ children }) => children);
  return elements.flatMap(({ name, text }) => (name === 'Data' ? [text] : [])).join('\n');
}

function laidOut(element: XmlTree): XmlTree {
  return { ...element, text: textOf(element), children: element.children.map(laidOut) };
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function jsonText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
