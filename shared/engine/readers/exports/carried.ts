import { JsonFramer } from '../json/json-framer.ts';
import type { Report } from '../read-records.ts';
import { type Carrier, exportKeys } from './carriers.ts';
import { memberPlace } from './member-place.ts';

const QUOTE = 0x22;
const BRACE_OPEN = 0x7b;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Finds the records of an export in JSON, which may be a list in an object, whatever else that has. */
export function recordFramer(report: Report, isWrapped: boolean): JsonFramer {
  return isWrapped ? new JsonFramer(report, exportKeys, undefined, () => {}) : new JsonFramer(report);
}

/** Takes out of a record what it carries, as it was written; undefined where it has none. */
export type TakeOut = (bytes: Uint8Array, start: number, end: number) => Uint8Array | undefined;

export function takeOutOf({ path, isText }: Carrier): TakeOut {
  const keys = path.map((key) => encoder.encode(key));
  return (bytes, start, end) => {
    const place = memberPlace(bytes, { start, end }, keys);
    if (place === undefined || bytes[place.start] !== (isText ? QUOTE : BRACE_OPEN)) return undefined;
    return isText ? textAt(bytes, place.start, place.end) : bytes.slice(place.start, place.end);
  };
}

/** The text that a JSON string is; undefined where it is not well-formed. */
function textAt(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  try {
    return encoder.encode(JSON.parse(decoder.decode(bytes.subarray(start, end))) as string);
  } catch {
    return undefined;
  }
}
