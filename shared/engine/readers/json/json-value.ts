export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export type JsonScalar = string | number | boolean | null;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The object written at [start, end); undefined when it is not well-formed. */
export function parseObject(bytes: Uint8Array, start: number, end: number): JsonObject | undefined {
  try {
    return JSON.parse(decoder.decode(bytes.subarray(start, end))) as JsonObject;
  } catch {
    return undefined;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalar(value: JsonValue | undefined): value is JsonScalar {
  return value !== undefined && (value === null || typeof value !== 'object');
}
