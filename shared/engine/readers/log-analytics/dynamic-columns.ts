import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/**
 * A row of a table without the columns that this kind of record does not have, which are empty or null. Values of
 * type dynamic, which come out of Log Analytics and advanced hunting as text, are what the texts hold.
 */
export function filledRow(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) =>
      value === '' || value === null || value === undefined ? [] : [[column, opened(value)]],
    ),
  );
}

function opened(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !/^\s*(?:\{|\[\s*[{["\]])/.test(value)) return value;
  try {
    const inner = JSON.parse(value) as JsonValue;
    return isObject(inner) || Array.isArray(inner) ? inner : value;
  } catch {
    return value;
  }
}
