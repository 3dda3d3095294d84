export type LogFields = Readonly<Record<string, unknown>>;

/** The operator's log. Never a payload, a token or a password. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `fields.error` may be anything that was thrown. */
  error(message: string, fields?: LogFields): void;
}
