import type { LogSource } from '@svc/engine';

/** The command line cannot be understood; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function choice<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) throw new UsageError(`${option} is one of ${choices.join(', ')}, not "${value}"`);
  return chosen;
}

/** A log source: some of `product=…,category=…,service=…`, or `any`. */
export function logSource(option: string, value: string): LogSource | 'any' {
  if (value === 'any') return value;
  const stated = Object.fromEntries(
    value.split(',').map((pair) => {
      const [, key = '', name = ''] = /^(product|category|service)=([^=]+)$/.exec(pair.trim()) ?? [];
      if (name === '') throw new UsageError(`${option} is any, or as product=linux,service=auditd, not "${value}"`);
      return [key, name];
    }),
  );
  return stated;
}

export function count(option: string, value: string, least = 0): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
    throw new UsageError(`${option} is a whole number from ${least} on, not "${value}"`);
  }
  return Number(value);
}
