import { exportCaseMisp, exportCaseStix, getCaseIocPack } from '@svc/application/feeds/case-documents.ts';
import { exportEntityStix } from '@svc/application/feeds/export-entity-stix.ts';
import { getEntityIocPack } from '@svc/application/feeds/get-entity-ioc-pack.ts';
import { getIocFeed } from '@svc/application/feeds/get-ioc-feed.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { operations, type InputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { linkEntities } from '../testing/link-entities.ts';
import { overriding } from '../testing/overriding.ts';
import { entityFixture, named, shownBy } from './entity-fixture.ts';
import { account, at } from './job-fixture.ts';

type Asked = Partial<InputOf<typeof operations.getIocFeed>>;

const asText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const json = (bytes: Uint8Array) => JSON.parse(asText(bytes)) as unknown;

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

    /** Puts entities in a case, each later than the one before; answers with their ids. */
    const linking = async (caseId: number, places: readonly number[], by: string): Promise<number[]> => {
      const ids: number[] = [];
      for (const place of places) {
        const [type, value] = named[place]!;
        const id = (await ports.entities.find({ type, value }))!;
        await linkEntities(ports, caseId, [id], { by, at: new Date(at.getTime() + ids.length) });
        ids.push(id);
      }
      return ids;
    };

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

    it('says since when a page says what it says, later than of what it said before', async () => {
      const viewer = account(await userNamed('one@example.org'), 'member');
      await naming([0, 1], {}, 0);
      const [page, now] = ['page', new Date('2026-08-01T10:00:00.900Z')];
      const since = async (tag: string, seconds: number) =>
        (await ports.feedPages.unchangedSince(page, tag, new Date(now.getTime() + seconds * 1000))).toISOString();
      const said = [
        await since('a', 0),
        await since('a', 60),
        await since('b', 60),
        await since('a', 60),
        await since('a', 90),
      ];
      expect(said.map((one) => one.slice(14, 19))).toEqual(['00:00', '00:00', '01:00', '01:01', '01:01']);
      const first = await feed(viewer);
      expect(first.since).not.toBeNull();
      expect((await feed(viewer)).since).toEqual(first.since);
      // Other questions are other pages.
      expect((await feed(viewer, { limit: 1 })).tag).not.toBe(first.tag);
    });

    it('is a table that no program takes for formulas', async () => {
      const viewer = account(await userNamed('one@example.org'), 'member');
      await naming([10, 0], {}, 0);
      const { text } = await feed(viewer, { format: 'csv' });
      const [head, ...lines] = text.split('\r\n');
      expect(head).toBe('value,type,first_seen,last_seen,job_count,threat_categories,max_severity,tags,stix_pattern');
      expect(lines.map((line) => line.split(',')[0])).toEqual(['CORP\\Admin_1', 'Admin (x)', '']);
    });

    it('tells of a case what its viewer sees', async () => {
      const [ada, eve] = [await userNamed('ada@example.org'), await userNamed('eve@example.org')];
      const [owner, other] = [account(ada, 'member'), account(eve, 'member')];
      const shared = await naming([6, 8], { hasThreats: true }, 0, shownBy(3, Date.UTC(2026, 7, 1)));
      const hidden = await naming([8, 2], { submittedBy: ada, isPrivate: true }, 1);
      await naming([8], {}, 2);
      const made = { name: 'Phish wave', ownerId: ada, isShared: true, at };
      const { id } = await ports.cases.create(made);
      for (const jobId of [shared, hidden]) await ports.cases.link(id, { jobId, by: ada, at });
      await linking(id, [2, 8, 6], ada);
      const read = async (viewer: Actor) => {
        const { objects } = json(await exportCaseStix(ports, viewer, { id, complete: false })) as {
          objects: Record<string, unknown>[];
        };
        const of = (type: string) => objects.filter((one) => one['type'] === type);
        const { Event: event } = json(await exportCaseMisp(ports, viewer, { id, complete: false })) as {
          Event: { info: string; analysis: string; threat_level_id: string; Attribute: Record<string, unknown>[] };
        };
        const pack = await getCaseIocPack(ports, viewer, { id });
        return {
          indicators: of('indicator').map((one) => one['name']),
          sightings: of('sighting').length,
          related: of('relationship').map((one) => one['relationship_type']),
          notes: of('note').map((one) => [one['content'], (one['object_refs'] as string[]).length]),
          misp: [event.info, event.analysis, event.threat_level_id],
          comments: event.Attribute.map((one) => one['comment']),
          pack: pack.indicators.map((one) => [one.value, one.severity]),
          total: pack.entity_total,
        };
      };
      const same = {
        indicators: ['WS01', 'evil.example', 'certutil.exe'],
        related: ['runs-as'],
        notes: [['Phish wave', 3]],
        misp: ['svc case: Phish wave', '1', '1'],
        total: 3,
      };
      expect(await read(other)).toEqual({
        ...same,
        sightings: 2,
        comments: ['Observed in 0 job(s)', 'Observed in 1 job(s)', 'Observed in 1 job(s)'],
        pack: [
          ['WS01', ''],
          ['evil.example', 'high'],
          ['certutil.exe', 'high'],
        ],
      });
      expect(await read(owner)).toEqual({
        ...same,
        sightings: 4,
        comments: ['Observed in 1 job(s)', 'Observed in 2 job(s)', 'Observed in 1 job(s)'],
        pack: [
          ['WS01', ''],
          ['evil.example', 'high'],
          ['certutil.exe', 'high'],
        ],
      });
      const { id: own } = await ports.cases.create({ ...made, isShared: false });
      for (const tell of [exportCaseStix, exportCaseMisp, getCaseIocPack]) {
        await expect(tell(ports, other, { id: own, complete: false })).rejects.toMatchObject({
          code: 'case_not_found',
        });
      }
    });

    it('tells first of a case what was linked first, and says what it leaves out', async () => {
      const ada = await userNamed('ada@example.org');
      const owner = account(ada, 'member');
      await naming([0, 1, 2], {}, 0);
      const { id } = await ports.cases.create({ name: 'Many', ownerId: ada, isShared: false, at });
      const ids = await linking(id, [2, 0, 1], ada);
      const entities = await ports.caseIndicators.entities(id, 2);
      expect(entities).toEqual({ ids: ids.slice(0, 2), total: 3 });
      const few = {
        ...ports,
        caseIndicators: overriding(ports.caseIndicators, { entities: () => Promise.resolve(entities) }),
      };
      expect(asText(await exportCaseStix(few, owner, { id, complete: false }))).toContain(
        'Entities: the first 2 of 3 entities.',
      );
      expect(asText(await exportCaseMisp(few, owner, { id, complete: false }))).toContain(
        'svc case: Many · first 2 of 3 entities',
      );
      expect(asText(await exportCaseMisp(ports, owner, { id, complete: true }))).not.toContain('first');
    });
  });
}
