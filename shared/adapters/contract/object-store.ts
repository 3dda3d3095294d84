import type { ObjectArchive } from '@svc/application/ports/object-archive.ts';
import type { ObjectStore } from '@svc/application/ports/object-store.ts';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { brokenContent, contentOf } from '../testing/content.ts';

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index % 251);

/** What every object store does. */
export function objectStoreContract(make: () => ObjectStore & ObjectArchive): void {
  describe('object store', () => {
    it('keeps an object under a random key with the suffix', async () => {
      const store = make();
      const one = await store.create('.evtx', contentOf(bytes(10), bytes(5)));
      const two = await store.create('.evtx', contentOf(bytes(10), bytes(5)));
      expect(one.key).toMatch(/^[0-9a-f]{32}\.evtx$/);
      expect(one.key).not.toBe(two.key);
      expect(one.sizeBytes).toBe(15);
      expect(await store.exists(one.key)).toBe(true);
    });

    it('takes objects under the keys that they had elsewhere, whole', async () => {
      const store = make();
      const pack = `packs/${'0123456789abcdef'.repeat(2)}.json`;
      await store.put(pack, contentOf(bytes(4), bytes(3)));
      const reader = await store.open(pack);
      expect(reader.size).toBe(7);
      await reader.close();
      await store.put(pack, contentOf(bytes(7)));
      const gone = `outputs/${'0'.repeat(32)}.bin`;
      await expect(store.put(gone, brokenContent('cut off'))).rejects.toThrow('cut off');
      expect(await store.exists(gone)).toBe(false);
      await store.delete(pack);
    });

    it('keeps rule packs and what analyses leave apart from uploads, by their keys', async () => {
      const store = make();
      for (const area of ['packs', 'outputs'] as const) {
        const { key } = await store.create('.bin', contentOf(bytes(9)), area);
        expect(key).toMatch(new RegExp(`^${area}/[0-9a-f]{32}\\.bin$`));
        const copy = await store.localCopy(key);
        expect(new Uint8Array(await readFile(copy.path))).toEqual(bytes(9));
        await copy.release();
        await store.delete(key);
        expect(await store.exists(key)).toBe(false);
      }
    });

    it('reads any range', async () => {
      const store = make();
      const content = bytes(100_000);
      const { key } = await store.create('.bin', contentOf(content));
      const reader = await store.open(key);
      const middle = new Uint8Array(1000);
      expect(reader.size).toBe(100_000);
      expect(await reader.read(54_321, middle)).toBe(1000);
      expect(middle).toEqual(content.slice(54_321, 55_321));
      expect(await reader.read(99_990, middle)).toBe(10);
      expect(await reader.read(100_000, middle)).toBe(0);
      await reader.close();
    });

    it('gives a file of this machine', async () => {
      const store = make();
      const { key } = await store.create('.log', contentOf(bytes(77)));
      const copy = await store.localCopy(key);
      expect(new Uint8Array(await readFile(copy.path))).toEqual(bytes(77));
      await copy.release();
      expect(await store.exists(key)).toBe(true);
    });

    it('stores the empty object', async () => {
      const store = make();
      const { key, sizeBytes } = await store.create('.bin', contentOf());
      expect(sizeBytes).toBe(0);
      const reader = await store.open(key);
      expect(reader.size).toBe(0);
      await reader.close();
    });

    it('keeps nothing of content that breaks off', async () => {
      const store = make();
      await expect(store.create('.bin', brokenContent('the connection was lost'))).rejects.toThrow(
        'the connection was lost',
      );
    });

    it('announces the key of an object before there is any, and keeps none that cannot be announced', async () => {
      const store = make();
      const told: (readonly [string, boolean])[] = [];
      const { key } = await store.create('.gz', contentOf(bytes(3)), 'outputs', async (named) => {
        told.push([named, await store.exists(named)]);
      });
      expect(told).toEqual([[key, false]]);
      expect(await store.exists(key)).toBe(true);
      let refused = '';
      const refusing = store.create('.gz', contentOf(bytes(3)), 'outputs', (named) => {
        refused = named;
        return Promise.reject(new Error('not noted'));
      });
      await expect(refusing).rejects.toThrow('not noted');
      expect(await store.exists(refused)).toBe(false);
    });

    it('says so when an object is missing', async () => {
      const store = make();
      const key = `${'0'.repeat(32)}.evtx`;
      await expect(store.open(key)).rejects.toMatchObject({ code: 'upload_missing' });
      await expect(store.localCopy(key)).rejects.toMatchObject({ code: 'upload_missing' });
      expect(await store.exists(key)).toBe(false);
    });

    it('erases, also what was deleted, and what is gone', async () => {
      const store = make();
      const { key } = await store.create('.bin', contentOf(bytes(5)));
      await store.erase(key);
      expect(await store.exists(key)).toBe(false);
      await store.delete(key);
      await expect(store.erase(key)).resolves.toBeUndefined();
      await expect(store.erase('../x.bin')).rejects.toThrow('not an object key');
    });

    it('deletes, also what is gone', async () => {
      const store = make();
      const { key } = await store.create('.bin', contentOf(bytes(1)));
      await store.delete(key);
      expect(await store.exists(key)).toBe(false);
      await expect(store.delete(key)).resolves.toBeUndefined();
    });

    it('takes no name for a key', async () => {
      const store = make();
      await expect(store.open('../../etc/passwd')).rejects.toThrow('not an object key');
      await expect(store.delete('../x.bin')).rejects.toThrow('not an object key');
      await expect(store.open(`cases/${'0'.repeat(32)}.bin`)).rejects.toThrow('not an object key');
    });

    it('answers for its health', async () => {
      const { freeBytes } = await make().check();
      expect(freeBytes === null || freeBytes > 0).toBe(true);
    });
  });
}
