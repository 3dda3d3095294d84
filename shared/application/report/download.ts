import { attachment } from './attachment.ts';
import type { ObjectReader } from '../ports/object-store.ts';
import type { Ports } from '../ports/ports.ts';

/** What a client is sent: bytes under a name, or an address where it fetches them by itself. */
export type Download =
  | { readonly fileName: string; readonly url: string }
  | {
      readonly fileName: string;
      /** @default application/octet-stream */
      readonly type?: string | undefined;
      readonly sizeBytes: number | null;
      readonly content: AsyncIterable<Uint8Array>;
    };

/** How long an address of the store is good for: for the request that follows. */
export const linkMs = 300_000;

/** Of a file that is to be saved under this name; without a type, whatever is in it. */
export function fileHeaders(fileName: string, type = 'application/octet-stream') {
  return { 'content-type': type, 'content-disposition': attachment(fileName) } as const;
}

/** An object, and as what it is sent. */
interface SentObject {
  readonly key: string;
  readonly fileName: string;
  readonly type?: string | undefined;
  readonly sizeBytes: number;
}

/** An object under this name: by an address of the store's where clients have one, else as bytes. */
export async function downloadOf(
  ports: Pick<Ports, 'clock' | 'objects' | 'uploadTargets'>,
  { key, fileName, type, sizeBytes }: SentObject,
): Promise<Download> {
  const expiresAt = new Date(ports.clock.now().getTime() + linkMs);
  const url = await ports.uploadTargets.presignGet({ key, headers: fileHeaders(fileName, type), expiresAt });
  return url === null ? { fileName, type, sizeBytes, content: bytesOf(ports, key) } : { fileName, url };
}

export type SendPorts = Pick<Ports, 'clock' | 'deployment' | 'droppedObjects' | 'objects' | 'uploadTargets'>;

/** A client that follows its address at the last moment still has as long for the bytes. */
const keptMs = 2 * linkMs;

/**
 * Content that is made while it is sent. Where clients fetch files from the store, the service cannot send a body of
 * any size: it becomes an object, which a sweep removes when nobody can fetch it any more.
 */
export async function sentDownload(
  ports: SendPorts,
  content: AsyncIterable<Uint8Array>,
  { fileName, type, suffix }: { readonly fileName: string; readonly type?: string; readonly suffix: string },
): Promise<Download> {
  if (ports.deployment.http.uploadOrigin === null) return { fileName, type, sizeBytes: null, content };
  const { key, sizeBytes } = await ports.objects.create(suffix, content, 'outputs');
  await ports.droppedObjects.note([key], new Date(ports.clock.now().getTime() + keptMs));
  return downloadOf(ports, { key, fileName, type, sizeBytes });
}

const chunkBytes = 1_048_576;

/** The bytes of an object; it is opened when they are asked for. */
export async function* bytesOf({ objects }: Pick<Ports, 'objects'>, key: string): AsyncGenerator<Uint8Array> {
  const reader: ObjectReader = await objects.open(key);
  try {
    for (let at = 0; at < reader.size;) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, reader.size - at));
      const count = await reader.read(at, chunk);
      if (count === 0) throw new Error(`The object ${key} is shorter than its size`);
      yield chunk.subarray(0, count);
      at += count;
    }
  } finally {
    await reader.close();
  }
}
