import type { LogType } from '@svc/domain';
import { detectLogType } from '@svc/engine';
import { notLog } from './not-log.ts';

/** What decides the type of a log (resolved-platform 1). */
const HEAD_BYTES = 64 * 1024;

/** What kind of log a file is by its first 64 KiB, found here as the service would, however many files there are. */
export async function detectType(file: File): Promise<LogType> {
  return detectLogType(await headOf(file));
}

/** The same, and what a file of unknown type is where that is plain. */
export async function detectKind(file: File): Promise<{ readonly type: LogType; readonly notLog: string | null }> {
  const head = await headOf(file);
  const type = detectLogType(head);
  return { type, notLog: type === 'unknown' ? notLog(head) : null };
}

async function headOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
}
