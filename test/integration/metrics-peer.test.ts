import { usePorts } from '@svc/adapters/compose.ts';
import { workerState } from '@svc/adapters/contract/worker-registry.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { withAnalysis, noCounts } from '@svc/domain';
import type { HttpResult } from '@svc/functions/http-event.ts';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { httpEvent } from '../support/http-events.ts';
import { describeWith } from '../support/programs.ts';

/** What Prometheus' own client reads, which refuses what is not OpenMetrics. */
const peer = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
plain = lambda value: value if value == value else None
json.dump([[f.name, f.type, f.documentation, [[s.name, s.labels, plain(s.value)] for s in f.samples]] for f in families], sys.stdout)
`;

type Family = [name: string, type: string, help: string, samples: [string, Record<string, string>, number | null][]];

function parsed(text: string): Family[] {
  const ran = spawnSync(process.env['PROMETHEUS_PYTHON_PATH'] ?? '', ['-c', peer], { input: text });
  expect(ran.stderr.toString()).toBe('');
  return JSON.parse(ran.stdout.toString()) as Family[];
}

describeWith('prometheus', 'metrics', () => {
  const token = 'what monitoring sends';
  let answer: (event: ReturnType<typeof httpEvent>) => Promise<HttpResult>;
  const test = openTestPorts({ deployment: { metricsToken: token } });
  beforeAll(async () => {
    const made = await test;
    const { ports } = made;
    usePorts(ports);
    const api = await import('@svc/functions/api/system.ts');
    answer = (event) => api.handler(event);
    await made.reset();
    for (const ip of ['192.0.2.1', '192.0.2.2']) await submitLog(ports, { kind: 'anonymous', ip });
    let counts = noCounts;
    for (const seconds of [0.05, 0.2, 0.2, 7200]) counts = withAnalysis(counts, 'completed', seconds);
    const busy = { ...workerState('host "a"\\ with\na name', 7, [1]), counts: withAnalysis(counts, 'failed', 1) };
    await ports.workers.beat(busy, { alive: 180, slots: 60 });
    await answer(httpEvent('GET', '/health'));
  });
  afterAll(async () => (await test).close());

  async function scrape(authorization = `Bearer ${token}`) {
    const { statusCode, headers, body, isBase64Encoded } = await answer(
      httpEvent('GET', '/metrics', { headers: { authorization, accept: '*/*' } }),
    );
    const text = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8').toString();
    return { statusCode, type: headers?.['content-type'], text };
  }
  const families = async (): Promise<Family[]> => parsed((await scrape()).text);

  it('are OpenMetrics, as a strict parser reads them', async () => {
    const { statusCode, type, text } = await scrape();
    expect([statusCode, type]).toEqual([200, 'application/openmetrics-text; version=1.0.0; charset=utf-8']);
    const found = parsed(text);
    const valueOf = (sample: string, labels: Record<string, string> = {}): number | null | undefined =>
      found
        .flatMap(([, , , samples]) => samples)
        .find(
          ([name, has]) => name === sample && Object.entries(labels).every(([key, value]) => has[key] === value),
        )?.[2];
    expect(valueOf('svc_database_up')).toBe(1);
    expect(valueOf('svc_queue_tasks', { lane: 'fast', state: 'waiting' })).toBe(2);
    expect(valueOf('svc_queue_oldest_seconds', { lane: 'fast' })).toBeGreaterThanOrEqual(0);
    expect(valueOf('svc_jobs', { status: 'pending' })).toBe(2);
    expect(valueOf('svc_store_bytes', { store: 'database' })).toBeGreaterThan(1_000_000);
    expect(valueOf('svc_store_bytes', { store: 'uploads' })).toBeGreaterThan(0);
    const worker = { hostname: 'host "a"\\ with\na name' };
    expect(valueOf('svc_worker_jobs', worker)).toBe(1);
    expect(valueOf('svc_analyses_total', { ...worker, end: 'completed' })).toBe(4);
    expect(valueOf('svc_analysis_duration_seconds_bucket', { ...worker, le: '0.25' })).toBe(3);
    expect(valueOf('svc_analysis_duration_seconds_bucket', { ...worker, le: '3600.0' })).toBe(4);
    expect(valueOf('svc_analysis_duration_seconds_count', worker)).toBe(5);
    expect(valueOf('svc_http_requests_total', { operation: 'getHealth', code: '2xx' })).toBeGreaterThanOrEqual(1);
    expect(valueOf('svc_http_request_duration_seconds_count', { area: 'system' })).toBeGreaterThanOrEqual(1);
    expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(0);
    for (const [name, , help] of found) expect([name, help.length > 0]).toEqual([name, true]);
  });

  it('are for whoever has the token, and nobody else', async () => {
    expect((await scrape('Bearer what monitoring send')).statusCode).toBe(401);
    expect((await scrape('Bearer')).statusCode).toBe(401);
    expect((await scrape('Basic d2hhdA==')).statusCode).toBe(401);
  });

  it('have what each panel of the dashboard shows', async () => {
    const file = new URL('../../docs/grafana-dashboard.json', import.meta.url);
    const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
      panels: { title: string; targets?: { expr: string }[] }[];
    };
    const names = new Set((await families()).flatMap(([, , , samples]) => samples.map(([name]) => name)));
    const shown = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    expect(shown.length).toBeGreaterThan(10);
    for (const { title, expr } of shown) {
      const asked = expr.match(/\b(?:svc|process|nodejs)_[a-z0-9_]+/g) ?? [];
      expect([title, asked.length > 0, asked.filter((name) => !names.has(name))]).toEqual([title, true, []]);
    }
  });

  it('say so when the database does not answer, and what the process counts all the same', async () => {
    const { ports } = await test;
    const away = vi.spyOn(ports.queueDepths, 'lanes').mockRejectedValue(new Error('away'));
    const found = await families();
    away.mockRestore();
    const samples = new Map(found.flatMap(([, , , each]) => each.map(([name, , value]) => [name, value])));
    expect([samples.get('svc_database_up'), samples.has('svc_jobs')]).toEqual([0, false]);
    expect(samples.has('svc_http_requests_total')).toBe(true);
  });
});
