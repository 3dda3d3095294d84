import type { CreateUploadInput, UploadTicket } from '@svc/contracts';
import { AppError, cleanFileName, networkOf, type Actor } from '@svc/domain';
import { randomBytes } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';
import type { UploadQuota } from './upload-repository.ts';
import type { UploadTarget } from '../ports/upload-targets.ts';
import { refuseInDemoMode, tooLarge } from './admit-upload.ts';

export type CreateUploadPorts = Pick<Ports, 'clock' | 'deployment' | 'settings' | 'uploads' | 'uploadTargets'>;

/** A slot that is not used for this long is removed with what was sent to it. */
export const slotMs = 3_600_000;
/** Slowest pace of an upload straight to a store, in bytes a second: a slower one ends too late to be submitted. */
const slowestSending = 131_072;
/** For an object that is named before its type is known. */
const suffix = '.bin';

/**
 * Reserves an upload: where to send exactly the bytes of this length and digest. Room for them is
 * taken when they come. A quota counts from now on what is reserved and not submitted, since a store takes bytes by a
 * signed address without asking again. Nothing tells whether the store has them already: that would tell what others
 * have submitted.
 * @param request.origin of this service as the client knows it; empty when unknown, and then `url` is a path.
 */
export async function createUpload(
  ports: CreateUploadPorts,
  actor: Actor,
  input: CreateUploadInput,
  { origin }: { readonly origin: string },
): Promise<UploadTicket> {
  const { filename, size_bytes: sizeBytes, sha256 } = input;
  await refuseInDemoMode(ports);
  const { maxUploadBytes } = ports.deployment;
  if (sizeBytes > maxUploadBytes) throw tooLarge(maxUploadBytes);
  const id = randomBytes(16).toString('hex');
  const createdAt = ports.clock.now();
  const expiresAt = new Date(createdAt.getTime() + slotMs);
  const target = await ports.uploadTargets.presignPut({ uploadId: id, sizeBytes, sha256, suffix, expiresAt });
  const quota = quotaOf(actor, ports.deployment);
  const isReserved = await ports.uploads.create(
    {
      id,
      fileName: cleanFileName(lastPart(filename)),
      sizeBytes,
      sha256,
      userId: actor.kind === 'account' ? actor.userId : null,
      ip: actor.ip,
      storageKey: target.key,
      createdAt,
      expiresAt:
        target.key === null ? expiresAt : new Date(Math.max(expiresAt.getTime(), lastArrival(target, sizeBytes))),
    },
    quota,
  );
  if (!isReserved) throw tooMuchReserved(quota);
  return {
    upload_id: id,
    method: 'PUT',
    url: target.url.startsWith('/') ? origin + target.url : target.url,
    headers: { ...target.headers },
    expires_at: target.beginBy.toISOString(),
  };
}

/** An account counts wherever it comes from, and not against the address that it shares with others. */
function quotaOf(actor: Actor, { reservedBytes }: Pick<Ports['deployment'], 'reservedBytes'>): UploadQuota {
  return actor.kind === 'account'
    ? { owner: `account:${actor.userId}`, maxBytes: reservedBytes.account }
    : { owner: `address:${networkOf(actor.ip)}`, maxBytes: reservedBytes.address };
}

function tooMuchReserved({ maxBytes }: UploadQuota): AppError {
  return new AppError(
    'rate_limited',
    `Reserved uploads that were not submitted may have ${Math.floor(maxBytes / 1_048_576)} MiB together; submit some, or wait until they expire`,
  );
}

/** Time kept for a transfer that the store does not report. */
function lastArrival({ beginBy }: UploadTarget, sizeBytes: number): number {
  return beginBy.getTime() + (sizeBytes / slowestSending) * 1000;
}

/** Of a name with a path, as forms of some browsers send it too. */
function lastPart(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? '';
}
