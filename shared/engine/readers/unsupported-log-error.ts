import type { LogType } from './log-type.ts';

/** There is no reader for this kind of log. */
export class UnsupportedLogError extends Error {
  override readonly name = 'UnsupportedLogError';
  readonly logType: LogType;

  constructor(logType: LogType) {
    super(
      logType === 'unknown' ? 'This is no kind of log that is known' : `Logs of type ${logType} cannot be read yet`,
    );
    this.logType = logType;
  }
}
