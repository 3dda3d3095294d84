import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { dataNames } from './data-names.ts';
import { messageData } from './message-data.ts';

/** What a tool tells of an event's data without its names. */
export interface ToldEvent {
  readonly provider: string;
  readonly eventId: string;
  /** Values in their order; none where the tool gives none. */
  readonly values: readonly JsonValue[];
  /** The message that Windows makes of them. */
  readonly message: string;
}

const guid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** The data of such an event: by the order of its values, else what its message says, else the values alone. */
export function toldData({ provider, eventId, values, message }: ToldEvent): JsonObject {
  const names = dataNames(provider, eventId, values.length);
  if (names !== undefined) {
    const named = names.map(({ name, isHex }, at) => [name, written(values[at] ?? null, isHex)] as const);
    return Object.fromEntries(named.filter(([name]) => name !== ''));
  }
  const told = messageData(provider, eventId, message);
  // Values that have no names at all are how classic providers write.
  return values.length === 0 || told.Data !== undefined
    ? told
    : { ...told, Data: values.map((value) => written(value, false)) };
}

/** A value as the event has it: of what .NET makes a structure of, its value; GUIDs in braces. */
function written(value: JsonValue, isHex: boolean): JsonValue {
  const plain = innerValue(value);
  const digits = isHex && (typeof plain === 'number' || typeof plain === 'string') ? String(plain) : '';
  if (/^-?\d+$/.test(digits)) return hex(digits, digits.startsWith('-') ? 32 : 64);
  return typeof plain === 'string' && guid.test(plain) ? `{${plain}}` : plain;
}

/** Of an object as PowerShell writes identifiers and pointers, the value in it. */
export function innerValue(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null;
  const { Value: own, value: pointer } = value as JsonObject;
  return own ?? pointer ?? null;
}

/** A whole number as Windows writes masks and identifiers. */
export function hex(decimal: string, bits: number): string {
  return `0x${BigInt.asUintN(bits, BigInt(decimal)).toString(16)}`;
}
