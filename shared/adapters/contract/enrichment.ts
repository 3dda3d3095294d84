import {
  changeEnrichmentService,
  clearEnrichmentToken,
  deleteEnrichmentService,
  listEnrichmentServices,
  toggleEnrichmentService,
} from '@svc/application/admin/enrichment/save-service.ts';
import { getEntityEnrichment, getRawEnrichment } from '@svc/application/intel/enrichment/enrich-entity.ts';
import { removeOldEnrichment } from '@svc/application/intel/enrichment/remove-old-results.ts';
import { getEntityGraph } from '@svc/application/intel/get-entity-graph.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { operations, type Enrichment } from '@svc/contracts';
import { graphVerdicts } from '@svc/domain';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { day, enrichmentFixture, minute, token } from './enrichment-fixture.ts';
import { at } from './job-fixture.ts';

const resultIn = ({ services }: Enrichment) => services[0]?.result ?? null;

/** Look-ups in services of others; `make` gives empty repositories with workflows, before each test. */
export function enrichmentContract(make: () => Promise<Ports>): void {
  describe('enrichment', () => {
    const { now, job, entity, state, service, enrich } = enrichmentFixture(make);
    const circuit = async () => (await listEnrichmentServices(state.ports)).services[0]!.circuit;
    /** One that logs name. */
    async function domain(): Promise<number> {
      await job([8]);
      return entity(8);
    }

    it('asks with the value and the token, and keeps what is said of both', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      expect(await getEntityEnrichment(state.ports, now().ada, { id })).toEqual({
        links: [],
        services: [{ id: serviceId, name: 'Own', result: null }],
        offline: { country: null, asn: null, known_good: null },
      });
      state.answer = ({ url, headers }, response) =>
        response.end(JSON.stringify({ hits: 3, you: [url, headers['x-key']] }));
      const result = resultIn(await enrich(id, serviceId));
      expect(result).toMatchObject({ ok: true, summary: { hits: 3 }, verdict: 'suspicious', has_raw: true });
      expect(Date.parse(result!.expires_at!) - state.time).toBe(day);
      expect(state.seen).toMatchObject([{ url: `/ask/evil.example?k=${encodeURIComponent(token)}`, method: 'GET' }]);
      expect([state.seen[0]!.headers['x-key'], state.seen[0]!.headers.cookie]).toEqual([token, undefined]);
      const { raw } = await getRawEnrichment(state.ports, now().ada, { id, service_id: serviceId });
      expect(raw).toContain('[token]');
      for (const told of [raw, state.logged, JSON.stringify(await listEnrichmentServices(state.ports))]) {
        expect(told).not.toContain(token);
        expect(told).not.toContain(encodeURIComponent(token));
      }
    });

    it('gives graphs the strongest verdict, of answers alone', async () => {
      await job([8, 14]);
      const [id, other] = [await entity(8), await entity(14)];
      const verdictOf = async (which: number) => {
        const asked = { hops: 1, limit: 10, via: '', only: [], q: '', job: null, job_edges: true } as const;
        const over = { include_allowlisted: false, fold_aliases: false };
        const { n } = await getEntityGraph(state.ports, now().ada, { ...asked, ...over, only: [], id });
        return graphVerdicts[n.en?.[n.id.indexOf(which)] ?? 0];
      };
      expect(await verdictOf(id)).toBe('none');
      const clean = await service({ name: 'Clean', verdict_rules: [{ verdict: 'clean', pointer: '/hits' }] });
      await enrich(id, clean.id);
      expect([await verdictOf(id), await verdictOf(other)]).toEqual(['clean', 'none']);
      const own = await service({ cache_ttl_seconds: 0 });
      await enrich(id, own.id);
      expect([await verdictOf(id), await verdictOf(other)]).toEqual(['suspicious', 'none']);
      // What cannot be had any more is no verdict.
      state.answer = (_request, response) => response.writeHead(500).end();
      await enrich(id, own.id, true);
      expect(await verdictOf(id)).toBe('clean');
    });

    it('asks nobody while an answer is fresh, and again when it is wanted or over', async () => {
      const [id, { id: serviceId }] = [await domain(), await service({ cache_ttl_seconds: 100 })];
      await enrich(id, serviceId);
      await enrich(id, serviceId);
      expect(state.seen).toHaveLength(1);
      await enrich(id, serviceId, true);
      expect(state.seen).toHaveLength(2);
      state.time += 100_000;
      await enrich(id, serviceId);
      expect(state.seen).toHaveLength(3);
    });

    it('keeps a failure for ten minutes at most, by its code alone', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      state.answer = (_request, response) => response.writeHead(404).end('not here');
      const result = resultIn(await enrich(id, serviceId));
      expect(result).toMatchObject({ ok: false, error: 'http_404', verdict: 'none', has_raw: false });
      expect(Date.parse(result!.expires_at!) - state.time).toBe(600_000);
      await enrich(id, serviceId);
      expect(state.seen).toHaveLength(1);
      for (const [reply, error] of [
        [(response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(), 'http_302'],
        [(response: ServerResponse) => response.end('x'.repeat(65_537)), 'too_large'],
        [(response: ServerResponse) => response.destroy(), 'network_error'],
      ] as const) {
        state.answer = (_request, response) => void reply(response);
        expect(resultIn(await enrich(id, serviceId, true))).toMatchObject({ ok: false, error });
      }
      await expect(getRawEnrichment(state.ports, now().ada, { id, service_id: serviceId })).rejects.toThrow(
        'No such answer',
      );
      expect(state.seen.map(({ url }) => url).filter((url) => url.includes('elsewhere'))).toEqual([]);
    });

    it('sends no value to whom its type is not for, nor to whom is switched off', async () => {
      const [id, { id: other }] = [await domain(), await service({ name: 'Of addresses', entity_types: 'ip_address' })];
      await expect(enrich(id, other)).rejects.toMatchObject({ code: 'not_found' });
      await expect(enrich(id, 999_999)).rejects.toMatchObject({ code: 'not_found' });
      const { id: off } = await service({ name: 'Off', enabled: false });
      await expect(enrich(id, off)).rejects.toMatchObject({ code: 'bad_request' });
      const { id: mute } = await service({
        name: 'Link',
        api_template: null,
        link_template: 'https://l.example/{value}',
      });
      await expect(enrich(id, mute)).rejects.toMatchObject({ code: 'bad_request' });
      const { links, services } = await getEntityEnrichment(state.ports, now().ada, { id });
      expect([links, services]).toEqual([[{ name: 'Link', url: 'https://l.example/evil.example' }], []]);
      expect(state.seen).toEqual([]);
    });

    it('goes through the guard', async () => {
      const { outbound } = now().ports;
      const guarded = { ...state.ports, outbound };
      for (const host of ['127.0.0.1', '169.254.169.254', '[::ffff:10.0.0.1]', '2130706433']) {
        await expect(service({ api_template: `http://${host}/{value}` }, guarded)).rejects.toMatchObject({
          code: 'bad_request',
        });
      }
      const [id, { id: serviceId }] = [await domain(), await service()];
      state.ports = guarded;
      const result = resultIn(await enrich(id, serviceId));
      expect(result).toMatchObject({ ok: false, error: 'blocked_target: 127.0.0.1 is not a public address' });
      expect(state.seen).toEqual([]);
    });

    it('changes what is named, and tells of a token only that there is one', async () => {
      const { id } = await service();
      const change = (sent: object) =>
        changeEnrichmentService(state.ports, now().root, {
          ...operations.changeEnrichmentService.body.parse(sent),
          id,
        });
      expect(await change({ notes: 'ours' })).toMatchObject({ notes: 'ours', name: 'Own', has_token: true });
      expect(await change({ api_token: '' })).toMatchObject({ has_token: true });
      expect(await toggleEnrichmentService(state.ports, now().root, { id })).toMatchObject({ enabled: false });
      expect(await clearEnrichmentToken(state.ports, now().root, { id })).toMatchObject({ has_token: false });
      expect(await change({ api_token: 'another' })).toMatchObject({ has_token: true });
      expect(await state.ports.siteOverview.secrets()).toMatchObject([{ place: `enrichment_service:${id}/api_token` }]);
      expect((await state.ports.siteOverview.counts(at)).enrichment).toEqual({ total: 1, enabled: 0 });
    });

    it('forgets with a service what it said, and what nobody asked for again', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      await enrich(id, serviceId);
      expect((await listEnrichmentServices(state.ports)).services).toMatchObject([{ results: 1 }]);
      state.time += 31 * day;
      expect(await removeOldEnrichment(state.ports)).toBe(1);
      await enrich(id, serviceId);
      await deleteEnrichmentService(state.ports, now().root, { id: serviceId });
      expect(await state.ports.enrichmentResults.of(id)).toEqual([]);
      // What is said after it has gone is not kept.
      const late = { entityId: id, serviceId, ok: true, summary: {}, verdict: 'none', error: null } as const;
      await state.ports.enrichmentResults.save({ ...late, fetchedAt: at, expiresAt: at }, null);
      expect(await state.ports.enrichmentResults.of(id)).toEqual([]);
    });

    it('tells what was said before when its limit is reached', async () => {
      const [id, { id: serviceId }] = [await domain(), await service({ per_minute: 1, cache_ttl_seconds: 0 })];
      await job([14]);
      const another = await entity(14);
      await enrich(id, serviceId);
      expect(resultIn(await enrich(id, serviceId, true))).toMatchObject({ ok: true, summary: { hits: 3 } });
      expect(resultIn(await enrich(another, serviceId))).toMatchObject({
        ok: false,
        error: 'rate_limited',
        fetched_at: null,
      });
      expect(state.seen).toHaveLength(1);
      state.time += minute;
      expect(resultIn(await enrich(another, serviceId))).toMatchObject({ ok: true });
    });

    it('leaves a service alone that fails and fails, tries it once, and asks it again when that goes well', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      state.answer = (_request, response) => response.writeHead(500).end();
      for (let times = 0; times < 4; times += 1) await enrich(id, serviceId, true);
      expect(await circuit()).toMatchObject({ state: 'closed', failures: 4, last_error: 'http_500' });
      await enrich(id, serviceId, true);
      expect(await circuit()).toMatchObject({ state: 'open', retry_at: new Date(state.time + minute).toISOString() });
      await enrich(id, serviceId, true);
      expect(state.seen).toHaveLength(5);
      state.time += minute;
      expect((await circuit()).state).toBe('half_open');
      // Of all who would try it, one does.
      const held: ServerResponse[] = [];
      state.answer = (_request, response) => void held.push(response);
      const tries = Promise.all([1, 2, 3].map(() => enrich(id, serviceId, true)));
      await expect.poll(() => state.seen.length).toBe(6);
      for (const response of held) response.writeHead(500).end();
      await tries;
      expect(state.seen).toHaveLength(6);
      expect(await circuit()).toMatchObject({
        state: 'open',
        retry_at: new Date(state.time + 2 * minute).toISOString(),
      });
      state.time += 2 * minute;
      state.answer = (_request, response) => response.end('{"hits":0}');
      expect(resultIn(await enrich(id, serviceId, true))).toMatchObject({ ok: true, verdict: 'none' });
      expect(await circuit()).toEqual({ state: 'closed', failures: 0, retry_at: null, last_error: null });
    });

    it('waits for as long as a service asks it to', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      state.answer = (_request, response) => response.writeHead(429, { 'retry-after': '90' }).end();
      await enrich(id, serviceId);
      expect((await listEnrichmentServices(state.ports)).services[0]!.circuit).toMatchObject({
        state: 'open',
        retry_at: new Date(state.time + 90_000).toISOString(),
      });
    });
  });
}
