const isoLike = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i;
const dotNetDate = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;
const epoch = /^\d{9,10}(?:\.\d+)?$|^\d{13}$/;

/**
 * A time as UTC ISO 8601 with the digits that it came with; null when it is none. Knows ISO 8601 with
 * `T` or a blank and any offset (none means UTC), .NET's `/Date(ms)/`, epoch seconds and milliseconds.
 */
export function utcTime(text: string): string | null {
  const iso = isoLike.exec(text);
  if (iso !== null) return fromIso(iso[1]!, iso[2]!, iso[3] ?? '', iso[4] ?? 'Z');
  const ms = dotNetDate.exec(text)?.[1];
  if (ms !== undefined) return fromEpoch(Number(ms));
  if (epoch.test(text))
    return fromEpoch(text.length === 13 && !text.includes('.') ? Number(text) : Number(text) * 1000);
  return null;
}

function fromIso(day: string, clock: string, fraction: string, zone: string): string | null {
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?(..)$/, '$1:$2') : 'Z';
  const ms = Date.parse(`${day}T${clock}${offset}`);
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, -5)}${fraction}Z`;
}

function fromEpoch(ms: number): string | null {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}
