import { AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** What a multipart body may have beside the file (service 8.2). */
const formBytes = 1_048_576;
/** Never fill the store beyond this (service 8.2). */
const freeBytesFloor = 1_073_741_824;

/**
 * Decides from the declared length, before a byte is read, whether an upload may be sent
 * (resolved-platform 10.1, checks 1, 2, 4 and 6). Throws `length_required`, `too_large`,
 * `low_space` or `demo_mode`.
 */
export async function admitUpload(
  { objects, settings, deployment }: Pick<Ports, 'objects' | 'settings' | 'deployment'>,
  declaredBytes: number | null,
): Promise<void> {
  if (declaredBytes === null) throw new AppError('length_required', 'Send a Content-Length header');
  if (declaredBytes > deployment.maxUploadBytes + formBytes) throw tooLarge(deployment.maxUploadBytes);
  const { freeBytes } = await objects.check();
  if (freeBytes !== null && freeBytes - declaredBytes < freeBytesFloor) {
    throw new AppError('low_space', 'Too little free space on the server for this file');
  }
  if ((await settings.current()).demoMode) throw demoMode();
}

/** For the file itself, which is measured while it arrives. */
export function tooLarge(maxUploadBytes: number): AppError {
  return new AppError('too_large', `The file is larger than ${Math.floor(maxUploadBytes / 1_048_576)} MiB`);
}

export function demoMode(): AppError {
  return new AppError('demo_mode', 'This is a read-only demonstration; uploads are switched off');
}
