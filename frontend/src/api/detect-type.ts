import type { LogType } from '@svc/domain';
import { detectLogType } from '@svc/engine';

/** What decides the type of a log (resolved-platform 1). */
const HEAD_BYTES = 64 * 1024;

/** What kind of log a file is by its first 64 KiB, found here as the service would, however many files there are. */
export async function detectType(file: File): Promise<LogType> {
  return detectLogType(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
}
