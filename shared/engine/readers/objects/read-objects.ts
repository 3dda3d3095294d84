import { JsonFramer } from '../json/json-framer.ts';
import { isObject, type JsonObject, parseObject } from '../json/json-value.ts';
import { readRecords } from '../read-records.ts';
import type { Reader } from '../reader.ts';
import { ObjectEvent } from './object-event.ts';
import { wrapperKeys } from './wrappers.ts';

const textDocument = /^\s*\{/;

/**
 * Reads JSON of any product: objects on lines, in an array, one after another, or as the list in a
 * wrapper such as `{"Records": […]}`. What each object is, its keys tell (detection-engine 1.2.4).
 */
export const readObjects: Reader = (source, tables, visit, options) => {
  const event = new ObjectEvent(tables);
  let framer: JsonFramer;
  return readRecords(
    source,
    (report) => (framer = new JsonFramer(report, wrapperKeys)),
    (bytes, start, end, offset) => {
      const record = parseObject(bytes, start, end, framer.hasLongNumber);
      if (record === undefined) return 'record-malformed';
      event.take(innermost(record), offset);
      visit(event);
      return undefined;
    },
    options,
  );
};

/** The record itself, where an export holds it under a name of its own, some of them as text. */
export function innermost(record: JsonObject): JsonObject {
  for (const key of ['CloudTrailEvent', 'AuditData', '_source', 'auditData']) {
    const inner = record[key];
    if (isObject(inner)) return inner;
    const parsed = typeof inner === 'string' && textDocument.test(inner) ? parsedObject(inner) : undefined;
    if (parsed !== undefined) return parsed;
  }
  return record;
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
