import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { decodePlain, decodeReferences } from '../xml/xml-text.ts';
import { hasReference, type Span, XmlTokens } from '../xml/xml-tokens.ts';

const deepest = 64;

/** An element before its end. */
interface Open {
  readonly name: string;
  readonly members: Record<string, JsonValue>;
  text: string;
}

/**
 * An element of XML as converters to JSON write it: attributes under `#attributes`, a text beside them under `#text`,
 * elements of one name as an array; undefined where it is not well-formed.
 */
export function xmlObject(xml: string): JsonObject | undefined {
  const bytes = new TextEncoder().encode(xml);
  const tokens = new XmlTokens();
  const textOf = (span: Span): string =>
    (hasReference(bytes, span) ? decodeReferences : decodePlain)(bytes, span.start, span.end - span.start);
  tokens.reset(bytes, 0, bytes.length);
  const root: Open = { name: '', members: {}, text: '' };
  const open = [root];
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    const at = open.at(-1)!;
    if (token === 'malformed' || open.length > deepest) return undefined;
    if (token === 'text') at.text += textOf(tokens.text);
    else if (token === 'cdata') at.text += decodePlain(bytes, tokens.text.start, tokens.text.end - tokens.text.start);
    else if (token === 'close') {
      if (open.length === 1 || at.name !== textOf(tokens.name)) return undefined;
      open.pop();
      put(open.at(-1)!, at);
    } else {
      const attributes = tokens.attributes.slice(0, tokens.attributeCount).map(({ name, local, value }) => {
        return [textOf({ start: local, end: name.end }), textOf(value)] as const;
      });
      const members = attributes.length === 0 ? {} : { '#attributes': Object.fromEntries(attributes) };
      const element: Open = { name: textOf(tokens.name), members, text: '' };
      if (tokens.isSelfClosing) put(at, element);
      else open.push(element);
    }
  }
  return open.length === 1 ? root.members : undefined;
}

function put({ members }: Open, { name, members: inner, text }: Open): void {
  const isPlain = Object.keys(inner).length === 0;
  const trimmed = text.trim() === '' ? '' : text;
  const value: JsonValue = isPlain ? trimmed || null : { ...inner, ...(trimmed !== '' && { '#text': trimmed }) };
  const known = Object.hasOwn(members, name) ? members[name] : undefined;
  const all = known === undefined ? value : Array.isArray(known) ? [...(known as JsonValue[]), value] : [known, value];
  Object.defineProperty(members, name, { value: all, enumerable: true, configurable: true, writable: true });
}
