import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { HashMessage } from './hash-file.ts';

/** Up to this size a file is hashed whole by the platform: nine times as fast, where TLS or localhost allow it. */
const wholeBytes = 128 * 1024 * 1024;
/** Read at a time of others: large enough to be quick, small enough to be no matter of memory. */
const partBytes = 4 * 1024 * 1024;

const tell = (message: HashMessage): void => postMessage(message);

/** Hashes the one file that it is given. */
addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  hash(file).then(tell, () => tell({ at: 'unreadable' }));
});

async function hash(file: File): Promise<HashMessage> {
  if (isSecureContext && file.size <= wholeBytes) {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    return { at: 'done', sha256: bytesToHex(new Uint8Array(digest)) };
  }
  const digest = sha256.create();
  for (let done = 0; done < file.size; done += partBytes) {
    digest.update(new Uint8Array(await file.slice(done, done + partBytes).arrayBuffer()));
    tell({ at: 'reading', done: Math.min(done + partBytes, file.size) });
  }
  return { at: 'done', sha256: bytesToHex(digest.digest()) };
}
