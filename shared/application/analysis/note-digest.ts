import type { UploadedFile } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

type DigestPorts = Pick<Ports, 'digests' | 'files' | 'log'>;

/**
 * Makes the file's similarity digest where it has none yet (resolved-platform 9.1), from the copy that was just
 * analysed and so is still in memory. What goes wrong is logged and left to the backfill; so is what is stopped.
 */
export async function noteDigest(
  { digests, files, log }: DigestPorts,
  { id, tlsh }: UploadedFile,
  path: string,
  stop: AbortSignal,
): Promise<void> {
  if (tlsh !== null || stop.aborted) return;
  try {
    await files.setDigest(id, await digests.ofFile(path, stop));
  } catch (error) {
    if (!stop.aborted) log.warn('the file got no similarity digest', { file_id: id, error });
  }
}
