export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export type JsonScalar = string | number | boolean | null;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const stringOrLongInteger = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/**
 * The object written at [start, end); undefined when it is not well-formed.
 * @param hasLongNumber whether it may hold integers too long for a number; they become texts.
 */
export function parseObject(
  bytes: Uint8Array,
  start: number,
  end: number,
  hasLongNumber: boolean,
): JsonObject | undefined {
  const text = decoder.decode(bytes.subarray(start, end));
  try {
    return JSON.parse(hasLongNumber ? quoteLongIntegers(text) : text) as JsonObject;
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

function quoteLongIntegers(text: string): string {
  return text.replace(stringOrLongInteger, (token) => {
    const isExact = token.startsWith('"') || Number.isSafeInteger(Number(token));
    return isExact ? token : `"${token}"`;
  });
}
