import { receivedAnalysis } from '@svc/adapters/testing/submit-log.ts';
import { analysisKey } from '@svc/contracts/tasks.ts';
import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { analyzeJob } from '@svc/application/analysis/analyze-job.ts';
import type { FindingList, JobList } from '@svc/contracts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { allAreas } from '../../test/support/all-areas.ts';
import { bodyOf, formOf, httpEvent, refusal } from '../../test/support/http-events.ts';
import { signIn } from '../../test/support/sessions.ts';

const test = await openTestPorts({
  deployment: { http: { host: '127.0.0.1', port: 0, secureCookies: true, logRequests: false } },
});
const { ports } = test;
usePorts(ports);
const handler = await allAreas();
const { handler: submissions } = await import('./submissions.ts');

afterAll(() => test.close());
beforeEach(() => test.reset());

const origin = { origin: 'https://svc.example.org' };
const get = (path: string, cookies: readonly string[] = []) => handler(httpEvent('GET', path, { cookies }));

async function submit(cookies: readonly string[] = [], fields: Readonly<Record<string, string>> = {}): Promise<number> {
  const workflow = (await ports.workflows.list()).find(({ isDefault }) => isDefault);
  const bytes = new TextEncoder().encode(`ElfFile\0${Math.random()}`);
  const form = formOf(ports, { workflow_id: String(workflow?.id), ...fields }, { name: 'x.evtx', bytes });
  const headers = { ...origin, 'content-length': '1000' };
  const result = await submissions(httpEvent('POST', '/upload', { form, headers, cookies }));
  return (bodyOf(result) as { job_id: number }).job_id;
}

async function analyzed(...submission: Parameters<typeof submit>): Promise<number> {
  const id = await submit(...submission);
  const lease = await receivedAnalysis(ports);
  await analyzeJob(ports, lease, new AbortController().signal);
  return id;
}

async function firstFinding(id: number): Promise<number> {
  return (bodyOf(await get(`/jobs/${id}/findings`)) as FindingList).findings[0]!.id;
}

const cancel = (id: number, cookies: readonly string[] = []) =>
  handler(httpEvent('POST', `/jobs/${id}/cancel`, { cookies, headers: origin }));

describe('a finished job', () => {
  it('is read through all its addresses', async () => {
    const id = await analyzed();
    expect(bodyOf(await get(`/jobs/${id}`))).toMatchObject({
      job_id: id,
      status: 'completed',
      total_findings: 1,
      severity_summary: { high: 1 },
      events: 12,
      submitter: 'anonymous',
      tasks: [{ tool: 'sigma-native', status: 'completed' }, { tool: 'post:analytics' }, { tool: 'post:similarity' }],
    });
    expect(bodyOf(await get(`/jobs/${id}/status`))).toMatchObject({ status: 'completed', terminal: true });
    const list = bodyOf(await get('/jobs')) as JobList;
    expect(list.jobs.map((job) => job.job_id)).toEqual([id]);
    const finding = await firstFinding(id);
    expect(bodyOf(await get(`/jobs/findings/${finding}/events`))).toMatchObject({ events: [{ record_id: '1' }] });
    expect(bodyOf(await get(`/jobs/findings/${finding}/rule`))).toMatchObject({ language: 'yaml', author: 'J. Doe' });
  });

  it('gives its findings as a download', async () => {
    const id = await analyzed();
    const result = await get(`/jobs/${id}/findings.json`);
    expect(result.headers?.['content-disposition']).toBe(`attachment; filename="job_${id}_findings.json"`);
    expect(bodyOf(result)).toMatchObject([{ rule_name: 'Encoded PowerShell Command Line', count: 1 }]);
  });

  it('filters its findings by severity', async () => {
    const id = await analyzed();
    const of = async (severity: string) =>
      bodyOf(await handler(httpEvent('GET', `/jobs/${id}/findings`, { query: { severity } })));
    expect(await of('low')).toMatchObject({ findings: [], total: 0 });
    expect(await of('high')).toMatchObject({ total: 1 });
    expect(await of('bad')).toMatchObject({ code: 'bad_request', detail: expect.stringMatching(/^severity: /) });
  });
});

describe('how the list was last looked at', () => {
  const list = (query: Readonly<Record<string, string>>, cookies: readonly string[] = []) =>
    handler(httpEvent('GET', '/jobs', { query, cookies }));
  const year = 'SameSite=Lax; Path=/; Max-Age=31536000; Secure';

  it('is kept for what the query asks, and for nothing else', async () => {
    expect((await list({ per: '50', view: 'roomy' })).cookies).toEqual([
      `svc_jobs_view=roomy; ${year}`,
      `svc_jobs_per_page=50; ${year}`,
    ]);
    expect((await list({ per: '20' })).cookies).toEqual([`svc_jobs_per_page=20; ${year}`]);
    for (const query of [{}, { per: '33', view: 'huge' }, { per: 'all' }, { q: 'per:50' }]) {
      expect((await list(query, ['svc_jobs_per_page=100'])).cookies).toEqual([]);
    }
  });

  it('stands in for what the query leaves out, unless it makes no sense', async () => {
    const per = async (...request: Parameters<typeof list>) => (bodyOf(await list(...request)) as JobList).per;
    expect(await per({})).toBe(20);
    expect(await per({}, ['svc_auth=x', 'svc_jobs_per_page=100'])).toBe(100);
    expect(await per({ per: '50' }, ['svc_jobs_per_page=100'])).toBe(50);
    expect(await per({ per: '33' }, ['svc_jobs_per_page=100'])).toBe(20);
    for (const kept of ['1000000', '-1', '', '50; x', '%35%30']) {
      expect(await per({}, [`svc_jobs_per_page=${kept}`])).toBe(20);
    }
  });
});

describe('a private job', () => {
  it('does not exist but for its submitter and administrators', async () => {
    const owner = [await signIn(ports, 'user', 'owner')];
    const id = await analyzed(owner, { is_private: 'true' });
    const listed = bodyOf(await get(`/jobs/${id}/findings`, owner)) as FindingList;
    const finding = listed.findings[0]!.id;
    const paths = [
      ...['', '/status', '/findings', '/findings.json'].map((rest) => `/jobs/${id}${rest}`),
      ...['events', 'rule'].map((rest) => `/jobs/findings/${finding}/${rest}`),
    ];
    const others = [[], [await signIn(ports, 'member')]];
    for (const path of paths) {
      for (const cookies of others) expect(refusal(await get(path, cookies))).toEqual([404, 'not_found']);
      for (const cookies of [owner]) expect((await get(path, cookies)).statusCode).toBe(200);
    }
    const admin = [await signIn(ports, 'admin')];
    for (const path of paths) expect((await get(path, admin)).statusCode).toBe(200);
    expect(bodyOf(await get('/jobs'))).toMatchObject({ jobs: [], total: 0 });
  });
});

describe('cancelling', () => {
  it('is for the submitter and administrators', async () => {
    const owner = [await signIn(ports, 'user', 'owner')];
    const id = await submit(owner);
    expect(refusal(await cancel(id))).toEqual([401, 'unauthenticated']);
    expect(refusal(await cancel(id, [await signIn(ports, 'member')]))).toEqual([403, 'forbidden']);
    expect(bodyOf(await cancel(id, owner))).toEqual({ job_id: id, status: 'cancelled', cancelling: false });
    expect(bodyOf(await cancel(id, owner))).toMatchObject({ status: 'cancelled' });
  });

  it('of a visitor’s job is for administrators', async () => {
    const id = await submit();
    expect(refusal(await cancel(id, [await signIn(ports, 'user')]))).toEqual([403, 'forbidden']);
    expect((await cancel(id, [await signIn(ports, 'admin')])).statusCode).toBe(200);
  });
});

describe('recovery', () => {
  it('puts jobs in motion that nobody works on, for administrators', async () => {
    const id = await submit();
    await ports.ledger.remove(analysisKey(id));
    const recover = (cookies: readonly string[] = []) =>
      handler(httpEvent('POST', '/admin/recover-stuck-jobs', { cookies, headers: origin }));
    expect(refusal(await recover())).toEqual([401, 'unauthenticated']);
    const admin = [await signIn(ports, 'admin')];
    expect(bodyOf(await recover(admin))).toEqual({ recovered: 1 });
    expect(bodyOf(await recover(admin))).toEqual({ recovered: 0 });
    expect(await ports.tasks.receive({ worker: 'test', waitMs: 0 })).toMatchObject({ task: { jobId: id }, attempt: 1 });
  });
});
