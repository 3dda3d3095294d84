import { exportEntityStix } from '@svc/application/feeds/export-entity-stix.ts';
import { getEntityIocPack } from '@svc/application/feeds/get-entity-ioc-pack.ts';
import { getIocFeed } from '@svc/application/feeds/get-ioc-feed.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { operations, type InputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { entityFixture } from './entity-fixture.ts';
import { account } from './job-fixture.ts';

type Asked = Partial<InputOf<typeof operations.getIocFeed>>;

/** What other programs are told of entities, by viewer; `make` gives empty repositories with workflows. */
export function feedContract(make: () => Promise<Ports>): void {
  describe('a feed', () => {
    let ports: Ports;
    const { naming, userNamed } = entityFixture(async () => (ports = await make()));

    const feed = async (viewer: Actor, asked: Asked = {}) => {
      const input = { ...operations.getIocFeed.query.parse({}), ...asked };
      const { bytes, ...rest } = await getIocFeed(ports, viewer, input);
      return { ...rest, text: new TextDecoder().decode(bytes) };
    };
    const rows = async (viewer: Actor, asked: Asked = {}) =>
      (JSON.parse((await feed(viewer, asked)).text) as Record<string, unknown>[]).map((row) => [
        row['value'],
        row['job_count'],
        row['max_severity'],
        row['threat_categories'],
      ]);

    it('blames by what visible jobs say of an entity itself', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      await naming([6, 8], { hasThreats: true }, 0);
      await naming([8, 2], { submittedBy: owner, isPrivate: true }, 1);
      const categories = expect.stringMatching(/./) as unknown;
      // What both name is counted with the private job, and blamed without it.
      expect(await rows(other)).toEqual([
        ['WS01', 1, '', ''],
        ['evil.example', 2, '', ''],
        ['certutil.exe', 1, 'high', categories],
      ]);
      expect(await rows(mine)).toEqual([
        ['WS01', 1, '', ''],
        ['evil.example', 2, 'high', ''],
        ['certutil.exe', 1, 'high', categories],
      ]);
      const id = (await ports.entities.find({ type: 'domain', value: 'evil.example' }))!;
      const documents = async (viewer: Actor) => {
        const stix = JSON.parse(new TextDecoder().decode(await exportEntityStix(ports, viewer, { id }))) as {
          objects: { type: string; name?: string }[];
        };
        return {
          sightings: stix.objects.filter(({ type }) => type === 'sighting').length,
          indicators: stix.objects.flatMap(({ type, name }) => (type === 'indicator' ? [name] : [])),
          pack: (await getEntityIocPack(ports, viewer, { id })).indicators.map((one) => [one.value, one.severity]),
        };
      };
      expect(await documents(other)).toEqual({
        sightings: 1,
        indicators: ['evil.example', 'certutil.exe'],
        pack: [
          ['evil.example', ''],
          ['certutil.exe', 'high'],
        ],
      });
      const own = await documents(mine);
      expect([own.sightings, own.indicators.length, own.pack[0]]).toEqual([2, 3, ['evil.example', 'high']]);
    });

    it('leaves allowlisted ones out, and says what it cannot search for', async () => {
      const viewer = account(await userNamed('one@example.org'), 'member');
      await naming([6, 8, 2], {}, 0);
      const id = (await ports.entities.find({ type: 'domain', value: 'evil.example' }))!;
      await ports.transaction(async (tx) => {
        await tx.entities.hold([id]);
        await tx.entities.allowlist([id], { isAllowlisted: true, reason: null, by: null, at: new Date() });
        await tx.entities.mark([id]);
      });
      const names = async (asked: Asked) => (await rows(viewer, asked)).map(([value]) => value);
      expect(await names({})).toEqual(['WS01', 'certutil.exe']);
      expect(await names({ include_allowlisted: true })).toEqual(['WS01', 'evil.example', 'certutil.exe']);
      expect(await names({ q: 'certutil', types: ['executable'] })).toEqual(['certutil.exe']);
      await expect(feed(viewer, { q: 'type:nothing' })).rejects.toMatchObject({ code: 'bad_request' });
    });

    it('leads through all pages, and knows a page that says the same', async () => {
      const viewer = account(await userNamed('one@example.org'), 'member');
      await naming([0, 1, 2], {}, 0);
      await naming([3, 4, 5, 6], {}, 1);
      const all = await rows(viewer);
      const found: unknown[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await feed(viewer, { limit: 2, ...(cursor !== undefined && { cursor }) });
        expect((await feed(viewer, { limit: 2, ...(cursor !== undefined && { cursor }) })).tag).toBe(page.tag);
        found.push(...(JSON.parse(page.text) as { value: string }[]).map(({ value }) => value));
        if (page.next === null) break;
        cursor = page.next;
      }
      expect(found).toEqual(all.map(([value]) => value));
      const before = await feed(viewer, { format: 'stix' });
      expect((await feed(viewer, { format: 'stix' })).tag).toBe(before.tag);
      await naming([0], {}, 2);
      expect((await feed(viewer, { format: 'stix' })).tag).not.toBe(before.tag);
    });

    it('is a table that no program takes for formulas', async () => {
      const viewer = account(await userNamed('one@example.org'), 'member');
      await naming([10, 0], {}, 0);
      const { text } = await feed(viewer, { format: 'csv' });
      const [head, ...lines] = text.split('\r\n');
      expect(head).toBe('value,type,first_seen,last_seen,job_count,threat_categories,max_severity,tags,stix_pattern');
      expect(lines.map((line) => line.split(',')[0])).toEqual(['CORP\\Admin_1', 'Admin (x)', '']);
    });
  });
}
