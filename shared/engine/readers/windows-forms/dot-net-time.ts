import { isObject, type JsonValue } from '../json/json-value.ts';
import { logTime } from '../named/log-time.ts';

const milliseconds = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;

/**
 * A time as PowerShell writes it: `/Date(ms)/`, ISO 8601, an object with one of them, or as the computer's culture
 * has it, of which those that log times are read in are known and taken as UTC. Undefined for what is none.
 */
export function dotNetTime(value: JsonValue | undefined): string | undefined {
  if (isObject(value)) return dotNetTime(value.value) ?? dotNetTime(value.DateTime);
  if (typeof value !== 'string') return undefined;
  const count = milliseconds.exec(value)?.[1];
  if (count !== undefined) {
    const date = new Date(Number(count));
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  }
  return logTime(value) ?? undefined;
}
