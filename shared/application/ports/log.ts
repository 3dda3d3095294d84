import { AsyncLocalStorage } from 'node:async_hooks';

export type LogFields = Readonly<Record<string, unknown>>;

/** The operator's log. Never a payload, a token or a password. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `fields.error` may be anything that was thrown. */
  error(message: string, fields?: LogFields): void;
}

const context = new AsyncLocalStorage<LogFields>();

/** Runs `work`; every line written on its way carries these fields besides those of what surrounds it. */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return context.run({ ...context.getStore(), ...fields }, work);
}

/** Fields of the work that is being done, for whoever writes the lines. */
export function currentLogFields(): LogFields {
  return context.getStore() ?? {};
}
