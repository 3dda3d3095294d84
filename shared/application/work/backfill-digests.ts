import { AppError, type UploadedFile } from '@svc/domain';
import { tlshOf } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';

type BackfillPorts = Pick<Ports, 'clock' | 'files' | 'log' | 'objects'>;

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
export async function backfillDigests(ports: BackfillPorts): Promise<number> {
  const { clock, files } = ports;
  const startedAt = clock.now().getTime();
  const before = new Date(startedAt - graceMs);
  let done = 0;
  let under: number | null = null;
  while (clock.now().getTime() - startedAt < mostMs) {
    const batch: readonly UploadedFile[] = await files.withoutDigest(before, { under, limit: batchSize });
    for (const file of batch) if (await backfill(ports, file)) done += 1;
    under = batch.at(-1)?.id ?? null;
    if (batch.length < batchSize) break;
  }
  return done;
}

async function backfill({ files, log, objects }: BackfillPorts, file: UploadedFile): Promise<boolean> {
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
