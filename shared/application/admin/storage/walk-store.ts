import { sideBySide } from '../../analysis/side-by-side.ts';
import type { StoredObject } from '../../ports/object-listing.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Amount, StorageWalk, WalkFound, WalkPurpose } from './storage-records.ts';

export type WalkPorts = Pick<Ports, 'clock' | 'log' | 'objectListing' | 'objects' | 'storageRecords'>;

/** How far to go, and what to do with what nobody owns. */
export interface Stride {
  /** Milliseconds after which no other page is begun. */
  readonly mostMs: number;
  /** What is younger may be on its way to its row. */
  readonly graceMs: number;
  /** Whether objects that no row names are removed. @default false */
  readonly removes?: boolean;
  /** Is told of each page; false ends the walk here. */
  readonly onPage?: (walk: StorageWalk) => Promise<boolean>;
}

const askedAtOnce = 1000;
const removedAtOnce = 8;
const sampleSize = 20;
const largestShown = 10;

/**
 * Goes on over the objects of the store from where the walk is, page by page, so that a store of any size takes no
 * more memory than a page. Returns how far it is; `endedAt` says whether that is all.
 */
export async function goOn(
  ports: WalkPorts,
  purpose: WalkPurpose,
  from: StorageWalk,
  { mostMs, graceMs, removes = false, onPage = async () => true }: Stride,
): Promise<StorageWalk> {
  const { clock, objectListing, storageRecords } = ports;
  const startedAt = clock.now().getTime();
  let walk = from;
  while (walk.endedAt === null && clock.now().getTime() - startedAt < mostMs) {
    const { objects, next } = await objectListing.page(walk.cursor);
    const changedAt = clock.now();
    const unowned = await unownedOf(ports, objects, new Date(changedAt.getTime() - graceMs));
    const removed = removes ? await remove(ports, unowned) : [];
    const found = withPage(walk.found, { objects, unowned, removed });
    const isLast = next === null;
    const after: StorageWalk = {
      ...walk,
      pages: walk.pages + 1,
      changedAt,
      endedAt: isLast ? changedAt : null,
      cursor: next,
      found: isLast && purpose === 'usage' ? await withLargest(ports, found) : found,
    };
    // Of two who have looked at one page the first counts; this one goes on where that is by now.
    if (!(await storageRecords.advance(purpose, after))) return (await storageRecords.walk(purpose)) ?? after;
    walk = after;
    if (!(await onPage(walk))) return walk;
  }
  return walk;
}

/** How many objects a walk has seen. */
export function seenBy({ found: { uploads, outputs, packs } }: StorageWalk): number {
  return uploads.count + outputs.count + packs.count;
}

async function unownedOf(
  { storageRecords }: Pick<Ports, 'storageRecords'>,
  objects: readonly StoredObject[],
  before: Date,
): Promise<readonly StoredObject[]> {
  const old = objects.filter(({ storedAt }) => storedAt < before);
  const unnamed = new Set<string>();
  for (let at = 0; at < old.length; at += askedAtOnce) {
    const keys = old.slice(at, at + askedAtOnce).map(({ key }) => key);
    for (const key of await storageRecords.unnamed(keys)) unnamed.add(key);
  }
  return old.filter(({ key }) => unnamed.has(key));
}

/** What cannot be removed is there for another walk. */
async function remove({ log, objects }: WalkPorts, unowned: readonly StoredObject[]): Promise<readonly StoredObject[]> {
  const tasks = unowned.map((object) => async (): Promise<StoredObject | null> => {
    try {
      await objects.delete(object.key);
      return object;
    } catch (error) {
      log.warn('an object that nobody owns could not be removed', { key: object.key, error });
      return null;
    }
  });
  const removed = await sideBySide(tasks, removedAtOnce, new AbortController().signal);
  return removed.filter((object) => object !== null);
}

function withPage(
  found: WalkFound,
  page: Readonly<Record<'objects' | 'unowned' | 'removed', readonly StoredObject[]>>,
): WalkFound {
  const outputs = page.objects.filter(({ key }) => key.startsWith('outputs/'));
  const packs = page.objects.filter(({ key }) => key.startsWith('packs/'));
  const uploads = page.objects.filter(({ key }) => !key.includes('/'));
  const shown = page.unowned.slice(0, sampleSize - found.sample.length);
  return {
    ...found,
    uploads: sum(found.uploads, uploads),
    outputs: sum(found.outputs, outputs),
    packs: sum(found.packs, packs),
    unowned: sum(found.unowned, page.unowned),
    removed: sum(found.removed, page.removed),
    sample: [
      ...found.sample,
      ...shown.map(({ key, sizeBytes, storedAt }) => ({ key, bytes: sizeBytes, stored_at: storedAt.toISOString() })),
    ],
  };
}

function sum(so: Amount, more: readonly StoredObject[]): Amount {
  return { count: so.count + more.length, bytes: more.reduce((all, { sizeBytes }) => all + sizeBytes, so.bytes) };
}

async function withLargest({ storageRecords }: WalkPorts, found: WalkFound): Promise<WalkFound> {
  return { ...found, largest: await storageRecords.largestJobs(largestShown) };
}
