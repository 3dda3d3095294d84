/** The command line cannot be understood; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function choice<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) throw new UsageError(`${option} is one of ${choices.join(', ')}, not "${value}"`);
  return chosen;
}

export function count(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`${option} is a whole number from 0 on, not "${value}"`);
  return Number(value);
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const isoTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Milliseconds since 1970 of an ISO time (UTC where no zone is said), or of a span such as `24h` before `now`. */
export function moment(option: string, value: string, now: number): number {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(value) ?? [];
  if (amount !== undefined) return now - Number(amount) * units[unit!]!;
  const iso = value.replace(' ', 'T');
  const zoned = iso.length > 10 && !/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? `${iso}Z` : iso;
  const at = isoTime.test(value) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new UsageError(
      `${option} is a time (2026-11-17, 2026-11-17T09:30Z) or a span (90m, 24h, 7d), not "${value}"`,
    );
  }
  return at;
}
