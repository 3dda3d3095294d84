import type { JsonValue } from '../readers/json/json-value.ts';

/** Text of the first of some values that is a scalar; null where none is. */
export function textOf(...values: readonly (JsonValue | undefined)[]): string | null {
  for (const value of values) {
    if (value !== undefined && value !== null && typeof value !== 'object') return String(value);
  }
  return null;
}

/** The texts of a list, or the one of a scalar. */
export function textsOf(value: JsonValue | undefined): string[] {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return items.flatMap((item) => textOf(item) ?? []);
}
