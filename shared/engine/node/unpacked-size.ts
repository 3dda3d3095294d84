import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { isGzip } from '../readers/compressed/gunzip.ts';
import { isZip, openArchive } from '../readers/compressed/open-archive.ts';
import { fileSource } from './file-source.ts';

/** Whether a log, unpacked where it is compressed, has more than so many bytes; about as many are unpacked at most. */
export async function isLargerUnpacked(path: string, bytes: number): Promise<boolean> {
  if ((await stat(path)).size > bytes) return true;
  const source = await fileSource(path);
  try {
    const head = new Uint8Array(4);
    await source.read(0, head);
    if (isGzip(head)) return isLargerGunzipped(path, bytes);
    if (!isZip(head)) return false;
    const { entries } = await openArchive(source);
    return entries.reduce((sum, { size }) => sum + size, 0) > bytes;
  } finally {
    await source.close();
  }
}

async function isLargerGunzipped(path: string, bytes: number): Promise<boolean> {
  const file = createReadStream(path);
  const content = file.pipe(createGunzip());
  let size = 0;
  try {
    for await (const chunk of content) {
      size += (chunk as Uint8Array).length;
      if (size > bytes) return true;
    }
  } catch {
    // Damage ends the log, as it does for its reader.
  } finally {
    file.destroy();
  }
  return false;
}
