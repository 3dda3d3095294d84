const SEPARATOR = '\u202f';
const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Count with thin separators: `12 345`. */
export function count(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(\d{3})+(?!\d))/g, SEPARATOR);
}

/** Count with its noun: `1 rule`, `3 rules`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Size in IEC units with three significant digits: `21.0 MiB`. */
export function bytes(value: number): string {
  let scaled = value;
  let unit = 0;
  while (scaled >= 1024 && unit < binaryUnits.length - 1) {
    scaled /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || scaled >= 100 ? 0 : 1;
  return `${scaled.toFixed(digits)}${SEPARATOR}${binaryUnits[unit]}`;
}

/** Length of time from milliseconds: `840 ms`, `12.4 s`, `3 min 05 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}${SEPARATOR}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}${SEPARATOR}s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return days < 730 ? `${days} d ${hours % 24} h` : `${Math.floor(days / 365)} y ${days % 365} d`;
}

/** A moment of time as it is shown everywhere; null for text that is no time. */
export interface Moment {
  /** `2026-08-01 10:15:07`, UTC, with the fraction the source has when asked for. */
  readonly utc: string;
  readonly local: string;
  readonly at: number;
}

/** Reads an ISO time. A time without a zone is UTC; `precise` keeps its fraction of a second. */
export function moment(iso: string, precise = false): Moment | null {
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(iso) ? iso : `${iso}Z`;
  const at = Date.parse(zoned.replace(' ', 'T'));
  if (Number.isNaN(at)) return null;
  const [day, clock = ''] = new Date(at).toISOString().split('T');
  const fraction = precise ? (/\.\d+/.exec(iso)?.[0].slice(0, 4) ?? '') : '';
  return { utc: `${day} ${clock.slice(0, 8)}${fraction}`, local: localTime(new Date(at)), at };
}

function localTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '−' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${zone}`;
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}

/** Names of ATT&CK tactics as a reader writes them: `credential_access` → `Credential access`. */
export function sentence(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
