import { open } from 'node:fs/promises';
import type { ByteSource } from '../readers/reader.ts';

/** A file as a source of bytes; must be closed. Rejects with the file system's error. */
export async function fileSource(path: string): Promise<ByteSource & { close(): Promise<void> }> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return {
    size,
    isRandom: true,
    async read(offset, into) {
      let filled = 0;
      while (filled < into.length) {
        const { bytesRead } = await file.read(into, filled, into.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled;
    },
    close: () => file.close(),
  };
}
