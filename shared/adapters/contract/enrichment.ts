import {
  createEnrichmentService,
  changeEnrichmentService,
  clearEnrichmentToken,
  deleteEnrichmentService,
  listEnrichmentServices,
  toggleEnrichmentService,
} from '@svc/application/admin/enrichment/save-service.ts';
import {
  enrichEntity,
  getEntityEnrichment,
  getRawEnrichment,
} from '@svc/application/intel/enrichment/enrich-entity.ts';
import {
  bulkEnrich,
  cancelEnrichmentRun,
  enrichCase,
  getEnrichmentRun,
  listCaseEnrichment,
} from '@svc/application/intel/enrichment/enrich-many.ts';
import { getEntityGraph } from '@svc/application/intel/get-entity-graph.ts';
import { removeOldEnrichment } from '@svc/application/intel/enrichment/remove-old-results.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { runBackgroundTask } from '@svc/application/work/run-background-task.ts';
import { readEnvironment } from '@svc/config';
import { operations, type Enrichment } from '@svc/contracts';
import { graphVerdicts, type Actor } from '@svc/domain';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outboundPolicies } from '../outbound/policies.ts';
import { UndiciOutboundHttp } from '../outbound/undici-outbound-http.ts';
import { linkEntities } from '../testing/link-entities.ts';
import { silentLog } from '../testing/silent-log.ts';
import { caseFixture } from './case-fixture.ts';
import { at } from './job-fixture.ts';

const policies = outboundPolicies(readEnvironment({}));
const [minute, day] = [60_000, 86_400_000];
const token = 'tok-e/n 1'.replace(' ', '+');

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly method: string;
  readonly body: string;
  readonly at: number;
}

const resultIn = ({ services }: Enrichment) => services[0]?.result ?? null;
/** Of those that a case has many of. */
const hostOf = (nth: number) => `host-${nth}.example`;

/** Look-ups in services of others; `make` gives empty repositories with workflows, before each test. */
export function enrichmentContract(make: () => Promise<Ports>): void {
  describe('enrichment', () => {
    const { now, opened, job, entity, naming } = caseFixture(make);
    let ports: Ports;
    let time = 0;
    let seen: Seen[] = [];
    let answer: (request: Seen, response: ServerResponse) => void;
    let logged: string;
    let base = '';
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
      request.on('end', () => {
        const { url = '', headers, method = '' } = request;
        seen.push({ url, headers, method, body, at: time });
        answer(seen.at(-1)!, response);
      });
    });

    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => server.close().closeAllConnections());
    beforeEach(() => {
      [time, seen, logged] = [at.getTime() + day, [], ''];
      answer = (_request, response) => response.end('{"hits":3}');
      const windows = new Map<string, { since: number; count: number }>();
      const window = (bucket: string) => {
        const known = windows.get(bucket);
        if (known !== undefined && time - known.since < minute) return known;
        const fresh = { since: time, count: 0 };
        windows.set(bucket, fresh);
        return fresh;
      };
      const write = (...said: readonly unknown[]) => void (logged += JSON.stringify(said));
      ports = {
        ...now().ports,
        clock: { now: () => new Date(time) },
        log: { ...silentLog, info: write, warn: write, error: write },
        outbound: new UndiciOutboundHttp({ ...policies, enrichment: { ...policies.enrichment, publicOnly: false } }),
        // As those of Redis and of one process: a window that its first request opens.
        rateLimiter: {
          take: async (bucket, limit) => (window(bucket).count += 1) <= limit,
          giveBack: async (bucket) => void (window(bucket).count -= 1),
          wait: async (bucket) => Math.ceil((window(bucket).since + minute - time) / 1000),
        },
      };
    });

    const service = (sent: object = {}, as: Ports = ports) =>
      createEnrichmentService(
        as,
        now().root,
        operations.createEnrichmentService.body.parse({
          name: 'Own',
          provider_key: 'own',
          entity_types: 'domain,hash',
          api_template: `${base}/ask/{value}?k={token}`,
          api_headers: { 'X-Key': '{token}', Cookie: 'a=b' },
          api_token: token,
          summary_fields: [{ label: 'hits', pointer: '/hits' }],
          verdict_rules: [{ verdict: 'suspicious', pointer: '/hits', at_least: 1 }],
          ...sent,
        }),
      );
    const circuit = async () => (await listEnrichmentServices(ports)).services[0]!.circuit;
    const enrich = (id: number, serviceId: number, force = false) =>
      enrichEntity(ports, now().ada, { id, service_id: serviceId, force });
    /** One that logs name. */
    async function domain(): Promise<number> {
      await job([8]);
      return entity(8);
    }

    it('asks with the value and the token, and keeps what is said of both', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      expect(await getEntityEnrichment(ports, now().ada, { id })).toEqual({
        links: [],
        services: [{ id: serviceId, name: 'Own', result: null }],
        offline: { country: null, asn: null, known_good: null },
      });
      answer = ({ url, headers }, response) => response.end(JSON.stringify({ hits: 3, you: [url, headers['x-key']] }));
      const result = resultIn(await enrich(id, serviceId));
      expect(result).toMatchObject({ ok: true, summary: { hits: 3 }, verdict: 'suspicious', has_raw: true });
      expect(Date.parse(result!.expires_at!) - time).toBe(day);
      expect(seen).toMatchObject([{ url: `/ask/evil.example?k=${encodeURIComponent(token)}`, method: 'GET' }]);
      expect([seen[0]!.headers['x-key'], seen[0]!.headers.cookie]).toEqual([token, undefined]);
      const { raw } = await getRawEnrichment(ports, now().ada, { id, service_id: serviceId });
      expect(raw).toContain('[token]');
      for (const told of [raw, logged, JSON.stringify(await listEnrichmentServices(ports))]) {
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
        const { n } = await getEntityGraph(ports, now().ada, { ...asked, ...over, only: [], id });
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
      answer = (_request, response) => response.writeHead(500).end();
      await enrich(id, own.id, true);
      expect(await verdictOf(id)).toBe('clean');
    });

    it('asks nobody while an answer is fresh, and again when it is wanted or over', async () => {
      const [id, { id: serviceId }] = [await domain(), await service({ cache_ttl_seconds: 100 })];
      await enrich(id, serviceId);
      await enrich(id, serviceId);
      expect(seen).toHaveLength(1);
      await enrich(id, serviceId, true);
      expect(seen).toHaveLength(2);
      time += 100_000;
      await enrich(id, serviceId);
      expect(seen).toHaveLength(3);
    });

    it('keeps a failure for ten minutes at most, by its code alone', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      answer = (_request, response) => response.writeHead(404).end('not here');
      const result = resultIn(await enrich(id, serviceId));
      expect(result).toMatchObject({ ok: false, error: 'http_404', verdict: 'none', has_raw: false });
      expect(Date.parse(result!.expires_at!) - time).toBe(600_000);
      await enrich(id, serviceId);
      expect(seen).toHaveLength(1);
      for (const [reply, error] of [
        [(response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(), 'http_302'],
        [(response: ServerResponse) => response.end('x'.repeat(65_537)), 'too_large'],
        [(response: ServerResponse) => response.destroy(), 'network_error'],
      ] as const) {
        answer = (_request, response) => void reply(response);
        expect(resultIn(await enrich(id, serviceId, true))).toMatchObject({ ok: false, error });
      }
      await expect(getRawEnrichment(ports, now().ada, { id, service_id: serviceId })).rejects.toThrow('No such answer');
      expect(seen.map(({ url }) => url).filter((url) => url.includes('elsewhere'))).toEqual([]);
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
      const { links, services } = await getEntityEnrichment(ports, now().ada, { id });
      expect([links, services]).toEqual([[{ name: 'Link', url: 'https://l.example/evil.example' }], []]);
      expect(seen).toEqual([]);
    });

    it('goes through the guard', async () => {
      const { outbound } = now().ports;
      const guarded = { ...ports, outbound };
      for (const host of ['127.0.0.1', '169.254.169.254', '[::ffff:10.0.0.1]', '2130706433']) {
        await expect(service({ api_template: `http://${host}/{value}` }, guarded)).rejects.toMatchObject({
          code: 'bad_request',
        });
      }
      const [id, { id: serviceId }] = [await domain(), await service()];
      ports = guarded;
      const result = resultIn(await enrich(id, serviceId));
      expect(result).toMatchObject({ ok: false, error: 'blocked_target: 127.0.0.1 is not a public address' });
      expect(seen).toEqual([]);
    });

    it('changes what is named, and tells of a token only that there is one', async () => {
      const { id } = await service();
      const change = (sent: object) =>
        changeEnrichmentService(ports, now().root, {
          ...operations.changeEnrichmentService.body.parse(sent),
          id,
        });
      expect(await change({ notes: 'ours' })).toMatchObject({ notes: 'ours', name: 'Own', has_token: true });
      expect(await change({ api_token: '' })).toMatchObject({ has_token: true });
      expect(await toggleEnrichmentService(ports, now().root, { id })).toMatchObject({ enabled: false });
      expect(await clearEnrichmentToken(ports, now().root, { id })).toMatchObject({ has_token: false });
      expect(await change({ api_token: 'another' })).toMatchObject({ has_token: true });
      expect(await ports.siteOverview.secrets()).toMatchObject([{ place: `enrichment_service:${id}/api_token` }]);
      expect((await ports.siteOverview.counts(at)).enrichment).toEqual({ total: 1, enabled: 0 });
    });

    it('forgets with a service what it said, and what nobody asked for again', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      await enrich(id, serviceId);
      expect((await listEnrichmentServices(ports)).services).toMatchObject([{ results: 1 }]);
      time += 31 * day;
      expect(await removeOldEnrichment(ports)).toBe(1);
      await enrich(id, serviceId);
      await deleteEnrichmentService(ports, now().root, { id: serviceId });
      expect(await ports.enrichmentResults.of(id)).toEqual([]);
      // What is said after it has gone is not kept.
      const late = { entityId: id, serviceId, ok: true, summary: {}, verdict: 'none', error: null } as const;
      await ports.enrichmentResults.save({ ...late, fetchedAt: at, expiresAt: at }, null);
      expect(await ports.enrichmentResults.of(id)).toEqual([]);
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
      expect(seen).toHaveLength(1);
      time += minute;
      expect(resultIn(await enrich(another, serviceId))).toMatchObject({ ok: true });
    });

    it('leaves a service alone that fails and fails, tries it once, and asks it again when that goes well', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      answer = (_request, response) => response.writeHead(500).end();
      for (let times = 0; times < 4; times += 1) await enrich(id, serviceId, true);
      expect(await circuit()).toMatchObject({ state: 'closed', failures: 4, last_error: 'http_500' });
      await enrich(id, serviceId, true);
      expect(await circuit()).toMatchObject({ state: 'open', retry_at: new Date(time + minute).toISOString() });
      await enrich(id, serviceId, true);
      expect(seen).toHaveLength(5);
      time += minute;
      expect((await circuit()).state).toBe('half_open');
      // Of all who would try it, one does.
      const held: ServerResponse[] = [];
      answer = (_request, response) => void held.push(response);
      const tries = Promise.all([1, 2, 3].map(() => enrich(id, serviceId, true)));
      await expect.poll(() => seen.length).toBe(6);
      for (const response of held) response.writeHead(500).end();
      await tries;
      expect(seen).toHaveLength(6);
      expect(await circuit()).toMatchObject({ state: 'open', retry_at: new Date(time + 2 * minute).toISOString() });
      time += 2 * minute;
      answer = (_request, response) => response.end('{"hits":0}');
      expect(resultIn(await enrich(id, serviceId, true))).toMatchObject({ ok: true, verdict: 'none' });
      expect(await circuit()).toEqual({ state: 'closed', failures: 0, retry_at: null, last_error: null });
    });

    it('waits for as long as a service asks it to', async () => {
      const [id, { id: serviceId }] = [await domain(), await service()];
      answer = (_request, response) => response.writeHead(429, { 'retry-after': '90' }).end();
      await enrich(id, serviceId);
      expect((await listEnrichmentServices(ports)).services[0]!.circuit).toMatchObject({
        state: 'open',
        retry_at: new Date(time + 90_000).toISOString(),
      });
    });

    /** Entities of a case, as many as it has and services cover. */
    async function caseOf(many: number): Promise<{ id: number; ids: readonly number[] }> {
      const jobId = await naming([8], {}, 0);
      await ports.transaction(async (tx) => {
        await tx.jobs.hold([jobId]);
        const entities = Array.from({ length: many }, (_, nth) => ({
          type: 'domain' as const,
          value: hostOf(nth),
          count: 1,
        }));
        const intel = { entities, findings: [], relationships: [], threats: [] };
        const plain = { version: 1, describe: () => ({ attributes: null, keys: [] }) };
        await tx.intel.replace([{ jobId, intel, at, isLocal: false }], plain);
      });
      const ids: number[] = [];
      for (let nth = 0; nth < many; nth += 1)
        ids.push((await ports.entities.find({ type: 'domain', value: hostOf(nth) }))!);
      const id = await opened();
      await linkEntities(ports, id, ids, { by: null, at });
      return { id, ids };
    }

    /** Has tasks done as a worker does, and lets the time pass that they wait. */
    async function work(taskId: number, stop = new AbortController().signal): Promise<void> {
      for (;;) {
        const how = await runBackgroundTask(ports, { kind: 'bulk_enrich', taskId, targetId: 0 }, stop);
        if (how === undefined) return;
        time += how.waitSeconds * 1000;
      }
    }

    it('looks 1,000 entities of a case up within the limit of a service, each once, whatever ends in the middle', async () => {
      const rate = 100;
      const { id: serviceId } = await service({ per_minute: rate });
      const { id: caseId, ids } = await caseOf(1000);
      const { runs } = await enrichCase(ports, now().ada, { id: caseId, service_id: null });
      expect(runs).toMatchObject([{ service_id: serviceId, status: 'pending', total: 1000, done: 0 }]);
      expect((await enrichCase(ports, now().ada, { id: caseId, service_id: serviceId })).runs).toMatchObject([
        { id: runs[0]!.id },
      ]);
      const task = (await ports.backgroundTasks.latest('bulk_enrich', runs[0]!.id))!;
      const stopping = new AbortController();
      answer = (_request, response) => {
        if (seen.length === 250) stopping.abort(new Error('the process ends'));
        response.end('{"hits":1}');
      };
      await expect(work(task.id, stopping.signal)).rejects.toThrow('the process ends');
      await work(task.id);
      expect(seen).toHaveLength(1000);
      expect(new Set(seen.map(({ url }) => url)).size).toBe(1000);
      const windows = new Map<number, number>();
      for (const one of seen) {
        const window = Math.floor((one.at - seen[0]!.at) / minute);
        windows.set(window, (windows.get(window) ?? 0) + 1);
      }
      expect(Math.max(...windows.values())).toBe(rate);
      expect(await listCaseEnrichment(ports, now().ada, { id: caseId })).toMatchObject({
        runs: [{ status: 'completed', done: 1000 }],
        services: [{ id: serviceId }],
      });
      expect((await ports.enrichmentResults.fresh(serviceId, ids, new Date(time))).size).toBe(1000);
      // All that is fresh costs nothing.
      const again = (await enrichCase(ports, now().ada, { id: caseId, service_id: null })).runs[0]!;
      await work((await ports.backgroundTasks.latest('bulk_enrich', again.id))!.id);
      expect(seen).toHaveLength(1000);
    }, 180_000);

    it('goes no further when it is cancelled, nor when its service fails and fails', async () => {
      const { id: serviceId } = await service();
      const { ids } = await caseOf(30);
      const begun = async () => (await bulkEnrich(ports, now().ada, { ids: [...ids], service_id: serviceId })).runs[0]!;
      const taskOf = async (id: number) => (await ports.backgroundTasks.latest('bulk_enrich', id))!.id;
      const first = await begun();
      answer = (_request, response) => {
        if (seen.length === 3)
          void cancelEnrichmentRun(ports, now().ada, { id: first.id }).then(() => response.end('{}'));
        else response.end('{}');
      };
      await work(await taskOf(first.id));
      expect(seen).toHaveLength(3);
      expect(await getEnrichmentRun(ports, now().ada, { id: first.id })).toMatchObject({ status: 'cancelled' });
      await expect(getEnrichmentRun(ports, now().bea, { id: first.id })).rejects.toMatchObject({ code: 'not_found' });
      await expect(cancelEnrichmentRun(ports, now().ada, { id: first.id })).rejects.toMatchObject({ code: 'conflict' });
      answer = (_request, response) => response.writeHead(503).end();
      const second = await begun();
      await work(await taskOf(second.id));
      const ended = await getEnrichmentRun(ports, now().root, { id: second.id });
      expect(ended).toMatchObject({ status: 'failed', detail: 'Own has failed 8 times in a row, last with http_503' });
      expect(seen).toHaveLength(3 + 8);
    });

    it('leaves out of a case what is of a private network, and tells nobody of a case that they do not see', async () => {
      await service({ entity_types: 'ip_address,domain' });
      const id = await opened();
      await job([3, 8]);
      await linkEntities(ports, id, [await entity(3), await entity(8)], { by: null, at });
      expect((await enrichCase(ports, now().ada, { id, service_id: null })).runs).toMatchObject([{ total: 1 }]);
      const stranger: Actor = now().eve;
      await expect(enrichCase(ports, stranger, { id, service_id: null })).rejects.toMatchObject({
        code: 'case_not_found',
      });
      await expect(listCaseEnrichment(ports, stranger, { id })).rejects.toMatchObject({ code: 'case_not_found' });
    });
  });
}
