import type { ObjectListing, StoredObject } from '@svc/application/ports/object-listing.ts';
import type { ObjectStore } from '@svc/application/ports/object-store.ts';
import { describe, expect, it } from 'vitest';
import { contentOf } from '../testing/content.ts';

/** What every listing of an object store does; `make` gives an empty store with its own. */
export function objectListingContract(
  make: () => Promise<{ readonly objects: ObjectStore; readonly listing: ObjectListing }>,
): void {
  describe('listing of objects', () => {
    it('tells of each object once, with its size and time, whatever its area', async () => {
      const { objects, listing } = await make();
      const before = Date.now();
      const made = new Map<string, number>();
      for (const area of ['uploads', 'outputs', 'packs'] as const) {
        for (let size = 0; size < 4; size += 1) {
          const { key } = await objects.create('.bin', contentOf(new Uint8Array(size)), area);
          made.set(key, size);
        }
      }
      // Nobody owns these, and they go by themselves.
      await objects.create('.answer', contentOf('x'), 'answers');
      const found = await allOf(listing);
      expect(new Map(found.map(({ key, sizeBytes }) => [key, sizeBytes]))).toEqual(made);
      expect(found).toHaveLength(made.size);
      for (const { storedAt } of found) expect(Math.abs(storedAt.getTime() - before)).toBeLessThan(3_600_000);
      const [gone] = made.keys();
      await objects.delete(gone!);
      expect((await allOf(listing)).map(({ key }) => key)).not.toContain(gone);
    });
  });
}

export async function allOf(listing: ObjectListing): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for (let after: string | null = null; ;) {
    const { objects, next } = await listing.page(after);
    found.push(...objects);
    if (next === null) return found;
    after = next;
  }
}
