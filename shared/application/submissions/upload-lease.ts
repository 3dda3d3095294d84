import { AppError } from '@svc/domain';
import { randomUUID } from 'node:crypto';
import { uploadLeaseMs, type UploadHolder } from '../ports/upload-admission.ts';
import type { Ports } from '../ports/ports.ts';
import { leastBytesAMinute, leastBytesWhenWanted, longestUploadMs } from './upload-pace.ts';

/** The right to send one upload; must be released when the upload has ended, however it did. */
export interface UploadLease {
  /**
   * Hands the content on and keeps the lease while it arrives; what comes after the lease was lost
   * is not handed on but ends in `busy`, or in `coordination_down` when nobody can be asked. What comes too slowly
   * ends in `busy` while somebody waits for the place, else in `bad_request` (upload-pace.ts).
   */
  receive(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
}

/** What a lease is asked for. */
export interface UploadWish {
  readonly declaredBytes: number;
  readonly holder: UploadHolder;
  /** Of the store; null for no bound. */
  readonly availableBytes: number | null;
}

const renewEveryMs = 5000;

/**
 * Takes one of the places for uploads and reserves its room, declared length by declared length;
 * throws `busy`, `low_space` or `coordination_down`.
 */
export async function takeLease(
  { uploadAdmission: admission }: Pick<Ports, 'uploadAdmission'>,
  { declaredBytes, holder, availableBytes }: UploadWish,
): Promise<UploadLease> {
  const id = randomUUID();
  let missing = declaredBytes;
  const outcome = await admission.hold({ id, bytes: missing, holder }, availableBytes);
  if (outcome === 'low_space') throw new AppError('low_space', 'Too little free space on the server for this file');
  if (outcome === 'share')
    throw new AppError('busy', 'The server is receiving as many files from you as it can; try again in a few seconds');
  if (outcome === 'busy')
    throw new AppError('busy', 'The server is receiving as many files as it can; try again in a few seconds');
  const beganAt = performance.now();
  let heldAt = beganAt;
  let askedAt = beganAt;
  let isWanted = false;

  async function renew(): Promise<void> {
    askedAt = performance.now();
    try {
      const renewed = await admission.hold({ id, bytes: missing, holder }, null);
      if (renewed === 'busy' || renewed === 'share')
        throw new AppError('busy', 'The upload paused and lost its place; try again in a few seconds');
      isWanted = renewed === 'wanted';
      heldAt = askedAt;
    } catch (error) {
      // While the place lasts, nobody else can have it.
      const lapsed = askedAt - heldAt >= uploadLeaseMs;
      if (lapsed || !(error instanceof AppError && error.code === 'coordination_down')) throw error;
    }
  }

  return {
    receive: async function* receive(content) {
      let minute = { since: performance.now(), bytes: 0 };
      let received = 0;
      for await (const chunk of content) {
        const now = performance.now();
        minute.bytes += chunk.length;
        received += chunk.length;
        if (now - beganAt > longestUploadMs(declaredBytes)) throw tooSlow();
        if (now - minute.since >= 60_000) {
          if (minute.bytes < leastBytesAMinute) throw tooSlow();
          minute = { since: now, bytes: 0 };
        }
        // What has arrived is no longer free anyway; keeping it reserved would count it twice.
        missing = Math.max(0, missing - chunk.length);
        if (now - askedAt >= renewEveryMs) await renew();
        if (isWanted && received < leastBytesWhenWanted(now - beganAt))
          throw new AppError('busy', 'The upload is slow and others wait for its place; try again later');
        yield chunk;
      }
    },
    // A place that cannot be given back lapses.
    release: () => admission.release(id).catch(() => undefined),
  };
}

function tooSlow(): AppError {
  return new AppError('bad_request', 'The upload is too slow');
}
