import type { Ports } from '../ports/ports.ts';

type Store = Pick<Ports, 'objects'>;

/** Keeps bytes as an object; its key. */
export async function storeBytes({ objects }: Store, suffix: string, bytes: Uint8Array): Promise<string> {
  async function* content(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  return (await objects.create(suffix, content(), 'packs')).key;
}

/** The bytes of an object, in memory that threads can share; throws `upload_missing`. */
export async function readBytes({ objects }: Store, key: string): Promise<Uint8Array> {
  const reader = await objects.open(key);
  try {
    const bytes = Buffer.from(new SharedArrayBuffer(reader.size));
    let at = 0;
    while (at < bytes.length) {
      const count = await reader.read(at, bytes.subarray(at));
      if (count === 0) throw new Error(`The object ${key} is shorter than its size`);
      at += count;
    }
    return bytes;
  } finally {
    await reader.close();
  }
}
