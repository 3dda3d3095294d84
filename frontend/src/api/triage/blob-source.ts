import type { ByteSource } from '@svc/engine';

/** Read at a time: asking a browser for bytes takes about as long for a few as for many. */
const pageBytes = 1024 * 1024;

/** A file as the engine reads it, a page at a time; it is never in memory as a whole. */
export function blobSource(blob: Blob): ByteSource {
  let page = new Uint8Array(0);
  let pageAt = 0;
  const turnTo = async (offset: number): Promise<void> => {
    page = new Uint8Array(await blob.slice(offset, offset + pageBytes).arrayBuffer());
    pageAt = offset;
  };
  return {
    size: blob.size,
    async read(offset, into) {
      const end = Math.min(offset + into.length, blob.size);
      let done = 0;
      while (offset + done < end) {
        const at = offset + done;
        if (at < pageAt || at >= pageAt + page.length) await turnTo(at);
        const part = page.subarray(at - pageAt, at - pageAt + end - at);
        into.set(part, done);
        done += part.length;
      }
      return done;
    },
  };
}
