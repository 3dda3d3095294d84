import { AppError, type UploadedFile } from '@svc/domain';
import { tlshOf } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';

type BackfillPorts = Pick<Ports, 'clock' | 'files' | 'objects'>;

const batchSize = 100;
/** So long the worker that analyses a file has to make its digest. */
const graceMs = 3_600_000;
/** What is left after this waits for the next run. */
const mostMs = 240_000;

/**
 * Makes the similarity digests of files that have none: those of before there were digests, and those whose worker was
 * stopped on the way (resolved-platform 16.2). Returns how many files were looked at. Throws `unavailable`.
 */
export async function backfillDigests({ clock, files, objects }: BackfillPorts): Promise<number> {
  const startedAt = clock.now().getTime();
  const before = new Date(startedAt - graceMs);
  let done = 0;
  while (clock.now().getTime() - startedAt < mostMs) {
    const batch = await files.withoutDigest(before, batchSize);
    for (const file of batch) await files.setDigest(file.id, await digestOf(objects, file));
    done += batch.length;
    if (batch.length < batchSize) break;
  }
  return done;
}

/** A file whose bytes are gone is like none. */
async function digestOf(objects: Ports['objects'], { storageKey }: UploadedFile): Promise<string | null> {
  try {
    const source = await objects.open(storageKey);
    try {
      return await tlshOf(source);
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'upload_missing') return null;
    throw error;
  }
}
