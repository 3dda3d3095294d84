import { AppError, networkOf } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { freeBytesFloor } from '../ports/object-store.ts';
import type { UploadHolder } from '../ports/upload-admission.ts';
import { takeLease, type UploadLease } from './upload-lease.ts';

/** What a multipart body may have beside the file (service 8.2). */
const formBytes = 1_048_576;

/** Whose an upload is; a visitor has no id. */
export interface Sender {
  readonly userId: string | null;
  readonly ip: string;
}

/** Holds the declared length of an upload against the limit; throws `length_required` or `too_large`. */
export function checkDeclaredLength({ maxUploadBytes }: Ports['deployment'], declaredBytes: number | null): number {
  if (declaredBytes === null) throw new AppError('length_required', 'Send a Content-Length header');
  if (declaredBytes > maxUploadBytes + formBytes) throw tooLarge(maxUploadBytes);
  return declaredBytes;
}

/**
 * Admits an upload before a byte of it is read (resolved-platform 10.1, check 4); throws `busy`,
 * `low_space` or `coordination_down`. The declared length is reserved once: the bytes stream
 * straight to where they stay, there is no spool of the parser that would hold a second copy.
 */
export async function admitUpload(
  ports: Pick<Ports, 'objects' | 'uploadAdmission'>,
  sender: Sender,
  declaredBytes: number,
): Promise<UploadLease> {
  const { freeBytes } = await ports.objects.check();
  const availableBytes = freeBytes === null ? null : freeBytes - freeBytesFloor;
  return takeLease(ports, { declaredBytes, holder: holderOf(sender), availableBytes });
}

/** Accounts count wherever they send from: a whole office may have one address. */
function holderOf({ userId, ip }: Sender): UploadHolder {
  return userId === null ? `network:${networkOf(ip)}` : `account:${userId}`;
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
