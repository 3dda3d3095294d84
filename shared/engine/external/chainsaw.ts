import { isObject, type JsonObject, type JsonValue } from '../readers/json/json-value.ts';
import { logTime } from '../readers/named/log-time.ts';
import type { ToldMatch } from './told-match.ts';
import { severityOf, type ToldRule } from './told-rule.ts';
import { textOf, textsOf } from './values.ts';

const attributesOf = /^(.+)_attributes$/;
const deepest = 64;

/** Whether an object is a hit of Chainsaw's hunt. */
export function isChainsaw(names: ReadonlySet<string>): boolean {
  return names.has('group') && names.has('kind') && (names.has('document') || names.has('documents'));
}

/** The events of a hit: one, or all that a rule puts together; undefined where it names no rule or no event. */
export function chainsawMatches(hit: JsonObject): readonly ToldMatch[] | undefined {
  const title = textOf(hit.name);
  if (title === null || title === '') return undefined;
  const rule: ToldRule = {
    engine: 'evtx-hunt',
    id: textOf(hit.id),
    title,
    level: severityOf(textOf(hit.level) ?? ''),
    tags: textsOf(hit.tags),
    author: textsOf(hit.authors).join(', ') || null,
  };
  const documents = Array.isArray(hit.documents) ? (hit.documents as readonly JsonValue[]) : [hit.document];
  const events = documents.map((document) => (isObject(document) ? document.data : undefined)).filter(isObject);
  if (events.length === 0) return undefined;
  // Of one event the time is what its program has made of it, whatever the event is.
  const head = events.length === 1 ? { timestamp: logTime(textOf(hit.timestamp) ?? '') } : {};
  return events.map((data) => ({ rule, head, event: withAttributes(data) }));
}

/** Puts attributes, which stand beside their element, where the JSON of events has them. */
function withAttributes(value: JsonObject, depth = 0): JsonObject {
  if (depth > deepest) return value;
  const plain: [string, JsonValue][] = [];
  const attributes = new Map<string, JsonObject>();
  for (const [key, inner] of Object.entries(value)) {
    const element = attributesOf.exec(key)?.[1];
    if (element !== undefined && isObject(inner)) attributes.set(element, inner);
    else plain.push([key, isObject(inner) ? withAttributes(inner, depth + 1) : inner!]);
  }
  const elements = new Map(plain);
  for (const [element, given] of attributes) {
    const inner = elements.get(element);
    const text = inner === undefined || inner === null ? {} : { '#text': inner };
    elements.set(element, { '#attributes': given, ...(isObject(inner) ? inner : text) });
  }
  return Object.fromEntries(elements);
}
