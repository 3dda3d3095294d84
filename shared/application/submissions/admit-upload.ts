import { AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** What a multipart body may have beside the file (service 8.2). */
const formBytes = 1_048_576;
/** Never fill the store beyond this (service 8.2). */
const freeBytesFloor = 1_073_741_824;

/** Holds the declared length of an upload against the limit; throws `length_required` or `too_large`. */
export function checkDeclaredLength({ maxUploadBytes }: Ports['deployment'], declaredBytes: number | null): number {
  if (declaredBytes === null) throw new AppError('length_required', 'Send a Content-Length header');
  if (declaredBytes > maxUploadBytes + formBytes) throw tooLarge(maxUploadBytes);
  return declaredBytes;
}

/** Decides, before a byte is read, whether there is room for an upload; throws `low_space`. */
export async function admitUpload({ objects }: Pick<Ports, 'objects'>, declaredBytes: number): Promise<void> {
  const { freeBytes } = await objects.check();
  if (freeBytes !== null && freeBytes - declaredBytes < freeBytesFloor) {
    throw new AppError('low_space', 'Too little free space on the server for this file');
  }
}

/** Throws `demo_mode` while the site is a demonstration. */
export async function refuseInDemoMode({ settings }: Pick<Ports, 'settings'>): Promise<void> {
  if ((await settings.current()).demoMode) {
    throw new AppError('demo_mode', 'This is a read-only demonstration; uploads are switched off');
  }
}

/** For the file itself, which is measured while it arrives. */
export function tooLarge(maxUploadBytes: number): AppError {
  return new AppError('too_large', `The file is larger than ${Math.floor(maxUploadBytes / 1_048_576)} MiB`);
}
