import { getTaxiiManifest } from '@svc/application/feeds/taxii/get-taxii-manifest.ts';
import { getTaxiiObject } from '@svc/application/feeds/taxii/get-taxii-object.ts';
import { listTaxiiObjects } from '@svc/application/feeds/taxii/list-taxii-objects.ts';
import { listTaxiiVersions } from '@svc/application/feeds/taxii/list-taxii-versions.ts';
import { identity, indicatorId } from '@svc/application/feeds/stix.ts';
import { toggleStar } from '@svc/application/alerts/toggle-star.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { operations } from '@svc/contracts';
import type { Actor, TaxiiCollectionAlias } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { entityFixture, named } from './entity-fixture.ts';
import { account } from './job-fixture.ts';

type Query = Readonly<Record<string, string>>;

const inputOf = (query: Query, collection: TaxiiCollectionAlias) => ({
  collection,
  ...operations.listTaxiiObjects.query.parse(query),
});
const namesIn = (found: readonly Readonly<Record<string, unknown>>[]) =>
  found.flatMap(({ type, name }) => (type === 'indicator' ? [name] : []));

/**
 * What TAXII clients are told, page by page and from poll to poll; `make` gives empty repositories with workflows.
 * @param overlaps - whether transactions run beside each other
 */
export function taxiiContract(make: () => Promise<Ports>, { overlaps }: { readonly overlaps: boolean }): void {
  describe('a TAXII collection', () => {
    let ports: Ports;
    let viewer: Actor;
    const { naming, userNamed } = entityFixture(async () => (ports = await make()));
    beforeEach(async () => {
      viewer = account(await userNamed('one@example.org'), 'member');
    });

    const objects = (query: Query = {}, collection: TaxiiCollectionAlias = 'live-iocs', by: Actor = viewer) =>
      listTaxiiObjects(ports, by, inputOf(query, collection));
    /** Names of the indicators of all pages, and how many each page has. */
    const walk = async (query: Query = {}, collection: TaxiiCollectionAlias = 'live-iocs') => {
      const names: unknown[] = [];
      const sizes: number[] = [];
      for (let next: string | undefined; ;) {
        const page = await objects({ ...query, ...(next !== undefined && { next }) }, collection);
        names.push(...namesIn(page.objects));
        sizes.push(page.objects.length);
        if (!page.more) return { names, sizes, last: page.added?.last };
        next = page.next;
      }
    };
    const idOf = async (place: number) =>
      (await ports.entities.find({ type: named[place]![0], value: named[place]![1] }))!;
    const allowlist = async (place: number, isAllowlisted: boolean) => {
      const id = await idOf(place);
      await ports.transaction(async (tx) => {
        await tx.entities.hold([id]);
        await tx.entities.allowlist([id], { isAllowlisted, reason: null, by: null, at: new Date() });
      });
    };
    const labels = async (by: Actor) =>
      (await objects({ 'match[type]': 'indicator' }, 'live-iocs', by)).objects.map((one) => one['labels']);

    it('is walked by pages, last seen last, with who says it first', async () => {
      await naming([0, 1, 2], {}, 2);
      await naming([2, 3, 4, 5], {}, 0);
      const whole = await objects();
      expect([whole.more, whole.next, whole.objects[0]]).toEqual([false, undefined, identity]);
      const all = namesIn(whole.objects);
      expect(all).toEqual(['10.0.0.7', '2001:db8::7', 'AB'.repeat(16), 'alice 100%', 'CORP\\Admin_1', 'WS01']);
      expect(await walk({ limit: '3' })).toMatchObject({ names: all, sizes: [3, 3, 3] });
      expect(await walk({ limit: '1' })).toMatchObject({ names: all, sizes: Array(7).fill(1) });
    });

    it('is polled for what has changed since, and for nothing else, whenever its logs were analysed', async () => {
      await naming([0, 1, 2], {}, 5);
      let { last } = await walk();
      const news = async () => {
        const page = await walk({ added_after: last! });
        last = page.last ?? last;
        return page.names;
      };
      expect(await objects({ added_after: last! })).toEqual({ more: false, objects: [], added: null });
      // Of a job that had ended before all of these, and was stored after they were told of.
      await naming([3, 1], {}, 0);
      expect(await news()).toEqual(['10.0.0.7', 'alice 100%']);
      expect(await news()).toEqual([]);
      await allowlist(2, true);
      expect(await news()).toEqual([]);
      expect((await walk()).names).not.toContain('WS01');
      await allowlist(2, false);
      expect(await news()).toEqual(['WS01']);
      const job = await naming([0, 9], {}, 6);
      await ports.transaction(async (tx) => {
        await tx.jobs.hold([job]);
        await tx.intel.remove(job);
      });
      // It is as it was, but for having been named: what nothing names any more is not told of.
      expect(await news()).toEqual(['CORP\\Admin_1']);
    });

    it('has what somebody has starred, from then on', async () => {
      await naming([0, 1, 2], {}, 0);
      expect(await walk({}, 'watched-iocs')).toEqual({ names: [], sizes: [1], last: expect.any(String) });
      const { last } = await walk();
      await toggleStar(ports, viewer, { id: await idOf(1) });
      expect((await walk({ added_after: last! }, 'watched-iocs')).names).toEqual(['alice 100%']);
      await toggleStar(ports, viewer, { id: await idOf(1) });
      expect((await walk({}, 'watched-iocs')).names).toEqual([]);
    });

    it('misses no change that is made while it is read', async () => {
      const told = new Map<unknown, unknown>();
      let last: string | undefined;
      const poll = async () => {
        for (let next: string | undefined; ;) {
          const page = await objects({
            limit: '4',
            ...(last !== undefined && { added_after: last }),
            ...(next !== undefined && { next }),
          });
          for (const { name, description } of page.objects) told.set(name, description);
          last = page.added?.last ?? last;
          if (!page.more) return;
          next = page.next;
        }
      };
      let isWriting = true;
      const polling = (async () => {
        while (isWriting) await poll();
      })();
      const writing = Array.from({ length: 24 }, (_, turn) =>
        naming(
          [turn % 7, (turn + 3) % 9, (turn + 5) % 11].filter((one, at, all) => all.indexOf(one) === at),
          {},
          -turn,
        ),
      );
      await Promise.all(writing);
      isWriting = false;
      await polling;
      await poll();
      told.delete(identity.name);
      const whole = await objects();
      expect(told).toEqual(new Map(whole.objects.slice(1).map(({ name, description }) => [name, description])));
    });

    it.skipIf(!overlaps)('has what is committed late, after what was told meanwhile', async () => {
      await naming([0, 1, 2], {}, 0);
      await allowlist(1, true);
      const { last } = await walk();
      const [begun, end] = [signal(), signal()];
      const id = await idOf(1);
      const slow = ports.transaction(async (tx) => {
        await tx.entities.hold([id]);
        await tx.entities.allowlist([id], { isAllowlisted: false, reason: null, by: null, at: new Date() });
        begun.give();
        await end.given;
      });
      await begun.given;
      await naming([3], {}, 0);
      const meanwhile = await walk({ added_after: last! });
      expect(meanwhile.names).toEqual(['10.0.0.7']);
      end.give();
      await slow;
      expect((await walk({ added_after: meanwhile.last! })).names).toEqual(['alice 100%']);
    });

    it('is narrowed to ids, types and versions', async () => {
      await naming([0, 1], {}, 0);
      await naming([2], {}, 1);
      const id = indicatorId({ type: 'computer', value: 'WS01' });
      const [ws01] = (await objects({ 'match[id]': id })).objects;
      expect(ws01).toMatchObject({ name: 'WS01', id });
      const modified = String(ws01!['modified']);
      const found = async (query: Query) => (await objects(query)).objects.map((one) => one['name']);
      expect(await found({ 'match[id]': `${id},${identity.id}` })).toEqual(['svc', 'WS01']);
      expect(await found({ 'match[id]': 'indicator--x,malware--y' })).toEqual([]);
      expect(await found({ 'match[type]': 'identity' })).toEqual(['svc']);
      expect(await found({ 'match[type]': 'indicator', 'match[version]': modified })).toEqual(['WS01']);
      expect(await found({ 'match[version]': 'first' })).toHaveLength(4);
      expect(await found({ 'match[spec_version]': '2.0' })).toEqual([]);
      expect(await found({ 'match[spec_version]': '2.0,2.1', 'match[type]': 'indicator' })).toHaveLength(3);
      const collection = 'live-iocs';
      const one = operations.getTaxiiObject.query.parse({});
      expect((await getTaxiiObject(ports, viewer, { ...one, collection, object_id: id })).objects).toEqual([ws01]);
      const versions = (object_id: string) => listTaxiiVersions(ports, viewer, { ...one, collection, object_id });
      expect((await versions(id)).versions).toEqual([modified]);
      expect((await versions(identity.id)).versions).toEqual([identity.modified]);
      for (const missing of ['indicator--x', 'malware--y', indicatorId({ type: 'user', value: 'WS01' })])
        await expect(versions(missing)).rejects.toMatchObject({ code: 'not_found' });
      await allowlist(2, true);
      await expect(versions(id)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('has a manifest of the same objects, in the same order and pages', async () => {
      await naming([0, 1, 2], {}, 0);
      const page = await objects();
      const manifest = await getTaxiiManifest(ports, viewer, inputOf({}, 'live-iocs'));
      expect(manifest.objects.map(({ id, version }) => [id, version])).toEqual(
        page.objects.map(({ id, modified }) => [id, modified]),
      );
      const dates = manifest.objects.map((one) => one.date_added);
      expect(dates).toEqual([...new Set(dates)].sort());
      expect(page.added).toEqual({ first: dates[1], last: dates.at(-1) });
      const rest = await getTaxiiManifest(ports, viewer, inputOf({ added_after: dates[2]!, limit: '1' }, 'live-iocs'));
      expect([rest.objects, rest.more]).toEqual([[manifest.objects[3]], false]);
    });

    it('says of entities what jobs say that the viewer sees', async () => {
      const owner = account(await userNamed('owner@example.org'), 'member');
      await naming([8, 2], { submittedBy: owner.kind === 'account' ? owner.userId : null, isPrivate: true }, 0);
      expect(await labels(viewer)).toEqual([['domain'], ['computer']]);
      expect(await labels(owner)).toEqual([['domain', 'severity:high'], ['computer']]);
    });

    it('asks the database as often for a long page as for a short one', async () => {
      await naming([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {}, 0);
      await objects();
      let asked = 0;
      const counted = { ...ports };
      for (const name of ['entities', 'entityBlame', 'toldEntities'] as const)
        Object.assign(counted, {
          [name]: new Proxy(ports[name], {
            get: (port, method) => {
              const of = Reflect.get(port, method) as (...rest: unknown[]) => unknown;
              return (...rest: unknown[]) => ((asked += 1), of.apply(port, rest));
            },
          }),
        });
      const askedFor = async (limit: string) => {
        asked = 0;
        await listTaxiiObjects(counted, viewer, inputOf({ limit }, 'live-iocs'));
        return asked;
      };
      expect([await askedFor('2'), await askedFor('500')]).toEqual([5, 5]);
    });
  });
}

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  const gate = new AbortController();
  const given = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  return { given, give: () => gate.abort() };
}
