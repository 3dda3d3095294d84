import type { Log } from '@svc/application/ports/log.ts';

const silent = (): void => undefined;

/** For tests that read no log. */
export const silentLog: Log = { debug: silent, info: silent, warn: silent, error: silent };
