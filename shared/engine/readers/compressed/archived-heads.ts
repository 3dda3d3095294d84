import { Inflate } from 'fflate';
import { detectionBytes } from '../detection-bytes.ts';
import { pushBytes } from './gunzip.ts';

const localSignature = 0x04034b50;
const localBytes = 30;
const isEncrypted = 1;
/** The sizes of an entry stand behind it only. */
const hasLateSizes = 8;
const wide = 0xffff_ffff;
/** Enough to come to a log; each costs as much as the head of a log. */
const mostEntries = 64;

/** The first bytes of each of the logs that a zip archive begins with, as far as its own first bytes tell. */
export function* archivedHeads(head: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  for (let at = 0, left = mostEntries; left > 0 && at + localBytes <= head.length; left--) {
    if (view.getUint32(at, true) !== localSignature) return;
    const flags = view.getUint16(at + 6, true);
    const method = view.getUint16(at + 8, true);
    const packedSize = view.getUint32(at + 18, true);
    const start = at + localBytes + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const isSized = (flags & hasLateSizes) === 0 && packedSize !== wide;
    const end = isSized ? start + packedSize : head.length;
    const packed = head.subarray(start, end);
    if ((flags & isEncrypted) === 0 && packed.length > 0) {
      if (method === 0) yield packed.subarray(0, detectionBytes);
      else if (method === 8) yield inflatedHead(packed);
    }
    if (!isSized) return;
    at = end;
  }
}

function inflatedHead(packed: Uint8Array): Uint8Array {
  const content = new Uint8Array(detectionBytes);
  let length = 0;
  const inflate = new Inflate((piece) => {
    const part = piece.subarray(0, content.length - length);
    content.set(part, length);
    length += part.length;
  });
  try {
    for (let at = 0; at < packed.length && length < content.length; at += pushBytes) {
      inflate.push(packed.subarray(at, at + pushBytes));
    }
  } catch {
    // What came before the damage is looked at.
  }
  return content.subarray(0, length);
}
