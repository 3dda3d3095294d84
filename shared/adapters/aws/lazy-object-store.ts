import type { ObjectStore } from '@svc/application/ports/object-store.ts';
import type { ScratchFolder } from '../local/scratch-folder.ts';
import type { S3Settings } from './s3-settings.ts';

export interface LazyObjectStoreOptions {
  readonly settings: S3Settings;
  readonly scratch: ScratchFolder;
  readonly largestBytes: number;
}

/** Objects in S3; the AWS SDK is loaded at the first use, so that those who do without it never wait for it. */
export function lazyObjectStore({ settings, ...options }: LazyObjectStoreOptions): ObjectStore {
  let opening: Promise<ObjectStore> | null = null;
  const store = (): Promise<ObjectStore> => (opening ??= open());
  const open = async (): Promise<ObjectStore> => {
    const [{ s3Client }, { S3ObjectStore }] = await Promise.all([
      import('./s3-client.ts'),
      import('./s3-object-store.ts'),
    ]);
    return new S3ObjectStore({ client: s3Client(settings), buckets: settings.buckets, ...options });
  };
  return {
    create: async (suffix, content, area) => (await store()).create(suffix, content, area),
    open: async (key) => (await store()).open(key),
    localCopy: async (key, signal) => (await store()).localCopy(key, signal),
    delete: async (key) => (await store()).delete(key),
    erase: async (key) => (await store()).erase(key),
    exists: async (key) => (await store()).exists(key),
    check: async () => (await store()).check(),
  };
}
