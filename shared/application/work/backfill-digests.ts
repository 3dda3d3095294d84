import { AppError, type UploadedFile } from '@svc/domain';
import { tlshOf } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';

export type DigestPorts = Pick<Ports, 'clock' | 'files' | 'log' | 'objects'>;

const batchSize = 100;
/** So long the worker that analyses a file has to make its digest. */
const graceMs = 3_600_000;
/** What is left after this waits for the next run. */
const mostMs = 240_000;

/**
 * Makes the similarity digests of files that have none: those of before there were digests, and those whose worker was
 * stopped on the way (resolved-platform 16.2). One that cannot be read keeps no other from its turn. Returns how many
 * were made. Throws `unavailable`.
 */
export async function backfillDigests(ports: DigestPorts): Promise<number> {
  const { clock } = ports;
  const startedAt = clock.now().getTime();
  let done = 0;
  let under: number | null = null;
  while (clock.now().getTime() - startedAt < mostMs) {
    const batch: DigestBatch = await backfillDigestsUnder(ports, under);
    done += batch.done;
    under = batch.last;
    if (under === null) break;
  }
  return done;
}

interface DigestBatch {
  readonly done: number;
  /** The number of the last file; null where there are no more. */
  readonly last: number | null;
}

/** Some of these, from the one under this number on. */
export async function backfillDigestsUnder(ports: DigestPorts, under: number | null): Promise<DigestBatch> {
  const before = new Date(ports.clock.now().getTime() - graceMs);
  const batch = await ports.files.withoutDigest(before, { under, limit: batchSize });
  let done = 0;
  for (const file of batch) if (await backfill(ports, file)) done += 1;
  return { done, last: batch.at(-1)?.id ?? null };
}

async function backfill({ files, log, objects }: DigestPorts, file: UploadedFile): Promise<boolean> {
  try {
    await files.setDigest(file.id, await digestOf(objects, file));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    log.warn('the file got no similarity digest', { file_id: file.id, error });
    return false;
  }
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
