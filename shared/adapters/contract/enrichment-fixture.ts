import { createEnrichmentService } from '@svc/application/admin/enrichment/save-service.ts';
import { enrichEntity } from '@svc/application/intel/enrichment/enrich-entity.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { readEnvironment } from '@svc/config';
import { operations } from '@svc/contracts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { outboundPolicies } from '../outbound/policies.ts';
import { UndiciOutboundHttp } from '../outbound/undici-outbound-http.ts';
import { silentLog } from '../testing/silent-log.ts';
import { caseFixture } from './case-fixture.ts';
import { at } from './job-fixture.ts';

const policies = outboundPolicies(readEnvironment({}));
export const [minute, day] = [60_000, 86_400_000];
export const token = 'tok-e/n 1'.replace(' ', '+');

/** A request that the service of others has seen. */
interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly method: string;
  readonly body: string;
  readonly at: number;
}

/** What a test reads and changes. */
interface State {
  ports: Ports;
  /** What it is for the ports, in milliseconds. */
  time: number;
  seen: Seen[];
  answer: (request: Seen, response: ServerResponse) => void;
  /** All that the ports have logged. */
  logged: string;
}

/** A service of others that answers as a test says, and cases whose entities it is asked of; `make` as for cases. */
export function enrichmentFixture(make: () => Promise<Ports>) {
  const cases = caseFixture(make);
  const { now } = cases;
  const state = { time: 0, seen: [], logged: '' } as unknown as State;
  let base = '';
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      const { url = '', headers, method = '' } = request;
      state.seen.push({ url, headers, method, body, at: state.time });
      state.answer(state.seen.at(-1)!, response);
    });
  });

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close().closeAllConnections());
  beforeEach(() => {
    state.time = at.getTime() + day;
    state.seen = [];
    state.logged = '';
    state.answer = (_request, response) => response.end('{"hits":3}');
    const windows = new Map<string, { since: number; count: number }>();
    const window = (bucket: string) => {
      const known = windows.get(bucket);
      if (known !== undefined && state.time - known.since < minute) return known;
      const fresh = { since: state.time, count: 0 };
      windows.set(bucket, fresh);
      return fresh;
    };
    const write = (...said: readonly unknown[]) => void (state.logged += JSON.stringify(said));
    state.ports = {
      ...now().ports,
      clock: { now: () => new Date(state.time) },
      log: { ...silentLog, info: write, warn: write, error: write },
      outbound: new UndiciOutboundHttp({ ...policies, enrichment: { ...policies.enrichment, publicOnly: false } }),
      // As those of Redis and of one process: a window that its first request opens.
      rateLimiter: {
        take: async (bucket, limit) => (window(bucket).count += 1) <= limit,
        giveBack: async (bucket) => void (window(bucket).count -= 1),
        wait: async (bucket) => Math.ceil((window(bucket).since + minute - state.time) / 1000),
      },
    };
  });

  const service = (sent: object = {}, as: Ports = state.ports) =>
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
  const enrich = (id: number, serviceId: number, force = false) =>
    enrichEntity(state.ports, now().ada, { id, service_id: serviceId, force });

  return { ...cases, state, service, enrich };
}
