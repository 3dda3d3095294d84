import type { ByteSource } from '../reader.ts';

const beginBytes = 1024;

/** Whether the text begins as JSON records do, in UTF-8 or in UTF-16 with a mark. */
export async function isJson(source: ByteSource): Promise<boolean> {
  const head = new Uint8Array(beginBytes);
  const count = await source.read(0, head);
  const first = head.subarray(0, count).find((byte) => byte > 0x20 && byte < 0x80);
  if (first === 0x7b) return true;
  return first === 0x5b && /^[^[]*\[\s*\{/.test(String.fromCharCode(...head.subarray(0, count)).replaceAll('\0', ''));
}
