import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { UploadSlot } from './upload-repository.ts';

/** The caller's upload of this id; throws `no_upload` for one that is unknown, too old or of another account. */
export async function findUpload(
  { clock, uploads }: Pick<Ports, 'clock' | 'uploads'>,
  actor: Actor,
  id: string | undefined,
): Promise<UploadSlot> {
  const slot = id === undefined ? null : await uploads.find(id);
  if (!slot || slot.expiresAt < clock.now()) throw noUpload();
  const isOwn = slot.userId === null || (actor.kind === 'account' && actor.userId === slot.userId);
  if (!isOwn) throw noUpload();
  return slot;
}

/** Unknown, too old and not one's own look the same. */
export function noUpload(): AppError {
  return new AppError('no_upload', 'There is no such upload; it may be too old. Reserve a new one');
}
