import { isTree } from '../json/json-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { WindowsForm } from './windows-form.ts';

const deepest = 64;

/** An event's XML as common converters write it, EvtxECmd with `--fj` among them: attributes begin with `@`. */
export const atAttributesForm: WindowsForm = {
  holds({ Event: event }) {
    if (!isTree(event) || !isTree(event.System)) return false;
    const { Provider: provider } = event.System;
    return isTree(provider) && provider['@Name'] !== undefined;
  },
  eventIn: (record) => withAttributes(record) as JsonObject,
};

/** The same with attributes in `#attributes`, as the reader of Windows JSON knows them. */
export function withAttributes(value: JsonValue, depth = 0): JsonValue {
  if (depth > deepest || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => withAttributes(item, depth + 1));
  const attributes: Record<string, JsonValue> = {};
  const rest: Record<string, JsonValue> = {};
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    if (key.startsWith('@')) attributes[key.slice(1)] = inner!;
    else rest[key] = withAttributes(inner!, depth + 1);
  }
  return Object.keys(attributes).length === 0 ? rest : { '#attributes': attributes, ...rest };
}

/** An object as JSON with attributes under names that begin with `@`; an empty one for any other text. */
export function parsedAttributes(text: string): JsonObject {
  try {
    const parsed = JSON.parse(text) as JsonValue;
    return isObject(parsed) ? (withAttributes(parsed) as JsonObject) : {};
  } catch {
    return {};
  }
}
