import { AppError, type Actor } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';
import type { SignedUpload } from '../ports/upload-targets.ts';
import type { UploadSlot } from './upload-repository.ts';
import { admitUpload } from './admit-upload.ts';
import { slotMs } from './create-upload.ts';
import { noUpload } from './find-upload.ts';
import { checkSpooled, spoolUpload } from './spool-upload.ts';

type ReceivePorts = Pick<Ports, 'clock' | 'objects' | 'uploadAdmission' | 'uploads' | 'uploadTargets'>;
/** A slow sender keeps its slot alive this often. */
const renewMs = 600_000;

export interface ReceiveInput {
  readonly token: string;
  readonly declaredBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Takes the bytes of a reserved upload into the store, where it is the service itself that was signed
 * as their target. Only the very bytes that were announced are kept: others are `length_mismatch` or
 * `digest_mismatch`. To send them again, for lack of an answer, is no error.
 */
export async function receiveUpload(ports: ReceivePorts, _actor: Actor, input: ReceiveInput): Promise<void> {
  const signed = await ports.uploadTargets.verify(input.token, ports.clock.now());
  if (!signed) throw noUpload();
  if (input.declaredBytes !== signed.sizeBytes) throw wrongLength(signed);
  const slot = await ports.uploads.find(signed.uploadId);
  if (!slot || slot.outcome) throw noUpload();
  // Whoever sends it, it counts for whom it was reserved.
  const lease = await admitUpload(ports, slot, signed.sizeBytes);
  try {
    await receive(ports, { signed, slot, content: lease.receive(input.content) });
  } finally {
    await lease.release();
  }
}

interface Arriving {
  readonly signed: SignedUpload;
  readonly slot: UploadSlot;
  readonly content: AsyncIterable<Uint8Array>;
}

async function receive(ports: ReceivePorts, { signed, slot, content }: Arriving): Promise<void> {
  if (slot.storageKey !== null) return compare(signed, content);
  const renew = (key?: string): Promise<boolean> =>
    ports.uploads.renew(slot.id, new Date(ports.clock.now().getTime() + slotMs), key);
  const file = await spoolUpload(ports, { fileName: slot.fileName, content: whileRenewing(content, renew) });
  let kept = false;
  try {
    check(signed, file);
    checkSpooled(file);
    kept = await renew(file.key);
  } finally {
    if (!kept) await ports.objects.delete(file.key);
  }
  if (kept) return;
  // Sent twice at once, or so slowly that the slot has ended.
  const after = await ports.uploads.find(slot.id);
  if (!after || after.storageKey === null) throw noUpload();
}

/** Keeps the slot of a slow sender from ending while bytes arrive. */
async function* whileRenewing(
  content: AsyncIterable<Uint8Array>,
  renew: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  let renewedAt = performance.now();
  for await (const chunk of content) {
    yield chunk;
    if (performance.now() - renewedAt < renewMs) continue;
    await renew();
    renewedAt = performance.now();
  }
}

/** Reads what was sent again, and keeps nothing of it. */
async function compare(signed: SignedUpload, content: AsyncIterable<Uint8Array>): Promise<void> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  check(signed, { sizeBytes, sha256: hash.digest('hex') });
}

function check(signed: SignedUpload, { sizeBytes, sha256 }: Pick<SignedUpload, 'sizeBytes' | 'sha256'>): void {
  if (sizeBytes !== signed.sizeBytes) throw wrongLength(signed);
  if (sha256 === signed.sha256) return;
  throw new AppError('digest_mismatch', `The bytes sent have the SHA-256 ${sha256}, not the one of the reservation`);
}

function wrongLength({ sizeBytes }: SignedUpload): AppError {
  return new AppError('length_mismatch', `This upload was reserved for exactly ${sizeBytes} bytes`);
}
