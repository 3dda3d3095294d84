import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type LogType, logTypes } from '@svc/domain';
import type { LogSource } from '@svc/engine';

/** The command line cannot be understood; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help tells more. */
  readonly command: string;

  constructor(message: string, { command = 'svc', cause }: { command?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.command = command;
  }
}

/** For an option that may be given several times. */
export const repeated = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** A type of log, or that its content tells the type. */
export const logTypeChoices: readonly (LogType | 'auto')[] = ['auto', ...logTypes];

export const choiceOfFormat = <const F extends readonly string[]>(choices: F, first: F[number]) =>
  new Option('--format <FORMAT>', 'how to tell it').choices(choices).default(first);

export const serverOption = () => new Option('--server <URL>', 'the service [SVC_URL, else that of svc login]');

/** A log source: some of `product=…,category=…,service=…`, or `any`. */
export function logSource(value: string): LogSource | 'any' {
  if (value === 'any') return value;
  const stated = Object.fromEntries(
    value.split(',').map((pair) => {
      const [, key = '', name = ''] = /^(product|category|service)=([^=]+)$/.exec(pair.trim()) ?? [];
      if (name === '') throw new InvalidArgumentError('It is any, or as product=linux,service=auditd.');
      return [key, name];
    }),
  );
  return stated;
}

export function wholeNumber(least: number): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
    throw new InvalidArgumentError(`It is a whole number from ${least} on.`);
  };
}
