/** Text as PostgreSQL can hold it: neither NUL nor half a surrogate pair, both of which logs contain. */
export function storableText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- NUL is what PostgreSQL refuses
  return text.replace(/[\u0000\p{Surrogate}]/gu, '\uFFFD');
}

/** The same for every string of a JSON value, keys included. */
export function storableJson<T>(value: T): T {
  return convert(value) as T;
}

function convert(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(convert);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), convert(item)]));
}

/** Cuts storable text to the length of its column. */
export function fitting(text: string, length: number): string {
  return storableText(text.slice(0, length));
}

/** Text in which a pattern of LIKE has no wildcards. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}
