import { receivedAnalysis } from '@svc/adapters/testing/submit-log.ts';
import { usePorts } from '@svc/adapters/compose.ts';
import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { output } from '@svc/adapters/testing/fake-engine.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { analyzeJob } from '@svc/application/analysis/analyze-job.ts';
import type { JobDetail, RawOutputs } from '@svc/contracts';
import { unzipSync } from 'fflate';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { allAreas } from '../../test/support/all-areas.ts';
import { bodyOf, formOf, httpEvent, refusal, type Sent } from '../../test/support/http-events.ts';
import { signIn } from '../../test/support/sessions.ts';
import type { HttpResult } from '../http-event.ts';

const test = await openTestPorts();
const { ports } = test;
usePorts(ports);
const handler = await allAreas();
const { handler: submissions } = await import('./submissions.ts');
afterAll(() => test.close());

const bytes = new TextEncoder().encode(`ElfFile\0${'x'.repeat(3_000_000)}`);
const origin = 'https://svc.example.org';
let admin: Sent;
let owner: Sent;
let job = 0;
beforeEach(async () => {
  await test.reset();
  admin = { cookies: [await signIn(ports, 'admin')], headers: { origin } };
  owner = { cookies: [await signIn(ports, 'user', 'owner')], headers: { origin } };
  const raw = { chunks: [Buffer.from('{"nth":1}\n')], isTruncated: true };
  test.engine.behave = async () => output({ derived: derived(), raw, log: 'rules: core 1' });
  job = await analyzed();
});

async function analyzed(name = 'Sécurité "1".evtx'): Promise<number> {
  const workflow_id = String((await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id);
  const form = formOf(ports, { workflow_id }, { name, bytes });
  const headers = { ...owner.headers, 'content-length': '4000000' };
  const { job_id } = bodyOf(await submissions(httpEvent('POST', '/upload', { ...owner, form, headers }))) as {
    job_id: number;
  };
  const lease = await receivedAnalysis(ports);
  await analyzeJob(ports, lease, new AbortController().signal);
  await ports.tasks.acknowledge(lease);
  return job_id;
}

const get = (path: string, sent = admin, query: Record<string, string> = {}): Promise<HttpResult> =>
  handler(httpEvent('GET', `/jobs/${path}`, { ...sent, query }));

async function contentOf({ content }: HttpResult): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content!) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('sends the file as it came, under the name of the job', async () => {
  const answer = await get(`${job}/download`);
  expect(answer).toMatchObject({
    statusCode: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-disposition':
        'attachment; filename="S_curit_ _1_.evtx"; filename*=UTF-8\'\'S%C3%A9curit%C3%A9%20%221%22.evtx',
    },
  });
  expect((await contentOf(answer)).equals(bytes)).toBe(true);
  await ports.objects.delete((await ports.jobs.get(job))!.file.storageKey);
  expect(refusal(await get(`${job}/download`))).toEqual([410, 'upload_missing']);
});

it('packs raw outputs into an archive, a folder for each task', async () => {
  const answer = await get(`${job}/export-raw`);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="job_${job}_raw_results.zip"`,
  });
  const files = unzipSync(await contentOf(answer));
  expect(Object.keys(files)).toEqual(['1-sigma-native/findings.jsonl.gz', '1-sigma-native/matches.jsonl.gz']);
  expect(gunzipSync(files['1-sigma-native/matches.jsonl.gz']!).toString()).toBe('{"nth":1}\n');
  for (const { storageKey } of await ports.rawOutputs.ofJob(job)) await ports.objects.delete(storageKey);
  expect(refusal(await get(`${job}/export-raw`))).toEqual([404, 'not_found']);
});

it('lists what is kept of each task, and its log', async () => {
  const { tasks } = bodyOf(await get(`${job}/raw-outputs`)) as RawOutputs;
  expect(tasks).toMatchObject([
    {
      tool: 'sigma-native',
      status: 'completed',
      outputs: [
        { name: 'findings.jsonl.gz', complete: true },
        { name: 'matches.jsonl.gz', complete: false },
      ],
    },
  ]);
  const log = await get(`task-results/${tasks[0]!.id}/log`);
  expect(bodyOf(log)).toEqual({ log_output: 'rules: core 1', truncated: false });
  expect(refusal(await get('task-results/2000000000/log'))).toEqual([404, 'not_found']);
});

it('sends the sections of the analytics that are asked for', async () => {
  const all = await get(`${job}/analytics.json`);
  expect(all.headers?.['content-disposition']).toBe(`attachment; filename="job_${job}_analytics.json"`);
  expect(Object.keys(bodyOf(all) as object)).toContain('threat_detection');
  const some = bodyOf(await get(`${job}/analytics.json`, admin, { sections: 'mitre,timeline' })) as object;
  const expected = ['events_capped', 'events_seen', 'mitre_tactics', 'timeline', 'timeline_tactics'];
  expect(Object.keys(some).sort()).toEqual(expected);
  expect(refusal(await get(`${job}/analytics.json`, admin, { sections: 'all' }))).toEqual([400, 'bad_request']);
});

it('offers what the viewer may do', async () => {
  const rights = async (sent: Sent): Promise<unknown> => {
    const { can_cancel, can_resubmit, can_delete } = bodyOf(await get(String(job), sent)) as JobDetail;
    return [can_cancel, can_resubmit, can_delete];
  };
  expect(await rights(admin)).toEqual([false, true, true]);
  expect(await rights(owner)).toEqual([false, true, false]);
  expect(await rights({})).toEqual([false, false, false]);
  expect(await rights({ cookies: [await signIn(ports, 'member', 'other')] })).toEqual([false, false, false]);
});

it('leads to the store where clients reach it', async () => {
  const { exportRaw } = await import('@svc/application/report/export-raw.ts');
  const { removeDroppedObjects } = await import('@svc/application/work/remove-dropped-objects.ts');
  const signed: string[] = [];
  const presignGet = async ({ key, headers }: { key: string; headers: object }): Promise<string> => {
    signed.push(key);
    expect(headers).toEqual({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${fileName}"`,
    });
    return 'https://bucket.example/link';
  };
  const uploadTargets = { ...ports.uploadTargets, presignGet };
  const http = { ...ports.deployment.http, uploadOrigin: 'https://bucket.example' };
  const reached = { ...ports, uploadTargets, deployment: { ...ports.deployment, http } };
  const fileName = `job_${job}_raw_results.zip`;
  expect(await exportRaw(reached, { id: job })).toEqual({ fileName, url: 'https://bucket.example/link' });
  expect(signed[0]).toMatch(/^outputs\/.*\.zip$/);
  // A sweep may come at any time, and one that comes before the client has gone to the store must not take it.
  expect(await removeDroppedObjects(ports)).toBe(0);
  expect(await ports.objects.exists(signed[0]!)).toBe(true);
  test.advance(3600);
  expect(await removeDroppedObjects(ports)).toBe(1);
  expect(await ports.objects.exists(signed[0]!)).toBe(false);
});
