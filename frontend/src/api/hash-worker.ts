import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { HashMessage } from './hash-file.ts';

/** Read at a time: large enough to be quick, small enough to be no matter of memory. */
const partBytes = 4 * 1024 * 1024;

const tell = (message: HashMessage): void => postMessage(message);

/** Hashes the one file that it is given; the platform’s own digest takes whole buffers only, and needs TLS. */
addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  hash(file).then(tell, () => tell({ at: 'unreadable' }));
});

async function hash(file: File): Promise<HashMessage> {
  const digest = sha256.create();
  for (let done = 0; done < file.size; done += partBytes) {
    digest.update(new Uint8Array(await file.slice(done, done + partBytes).arrayBuffer()));
    tell({ at: 'reading', done: Math.min(done + partBytes, file.size) });
  }
  return { at: 'done', sha256: bytesToHex(digest.digest()) };
}
