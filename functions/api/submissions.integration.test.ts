import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Home, SubmittedJob } from '@svc/contracts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, formOf, httpEvent, refusal, type Sent } from '../../test/support/http-events.ts';
import { formType, uploadForm } from '../../test/support/multipart.ts';
import { signIn } from '../../test/support/sessions.ts';

const test = await openTestPorts();
const { ports } = test;
usePorts(ports);
const { handler } = await import('./submissions.ts');

afterAll(() => test.close());
let stored: string[] = [];
let evtxWorkflow = '';
beforeEach(async () => {
  await test.reset();
  stored = [];
  evtxWorkflow = String((await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id);
});

const evtx = new TextEncoder().encode(`ElfFile\0${'x'.repeat(100)}`);
const origin = 'https://svc.example.org';

interface Upload {
  readonly fields?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

function upload(path: string, { fields = {}, bytes = evtx, headers = {}, cookies = [] }: Upload = {}) {
  const form = formOf(ports, { workflow_id: evtxWorkflow, ...fields }, { name: 'x.evtx', bytes }, stored);
  const sent: Sent = { form, cookies, headers: { 'content-length': '1000', ...headers } };
  return handler(httpEvent('POST', path, sent));
}

async function left(): Promise<boolean[]> {
  return Promise.all(stored.map((key) => ports.objects.exists(key)));
}

describe('POST /upload', () => {
  it('accepts a visitor’s file and answers its repetition with the same job', async () => {
    const first = await upload('/upload');
    expect(first.statusCode).toBe(202);
    const job = bodyOf(first) as SubmittedJob;
    expect(job).toEqual({
      job_id: expect.any(Number),
      status: 'pending',
      reused: false,
      job_url: `/jobs/${job.job_id}`,
      case_id: null,
    });
    const again = await upload('/upload');
    expect(again.statusCode).toBe(200);
    expect(bodyOf(again)).toMatchObject({ job_id: job.job_id, reused: true });
    expect((await ports.jobs.get(job.job_id))?.job.submittedName).toBe('x.evtx');
    expect(await left()).toEqual([true, false]);
  });

  it('sends a form post that asks for a page to the job’s', async () => {
    const result = await upload('/upload', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(result.statusCode).toBe(303);
    expect(result.headers?.['location']).toBe((bodyOf(result) as SubmittedJob).job_url);
  });

  it('takes a form from the body of an event, as Lambda hands it over', async () => {
    const form = uploadForm(evtxWorkflow);
    const sent = { 'content-type': formType, 'content-length': String(form.length) };
    const post = (body: Buffer, headers: Readonly<Record<string, string>> = sent) =>
      handler({
        ...httpEvent('POST', '/upload', { headers, body: body.toString('base64') }),
        isBase64Encoded: true,
      });
    const { job_id: id } = bodyOf(await post(form)) as SubmittedJob;
    expect((await ports.jobs.get(id))?.job).toMatchObject({ submittedName: 'x.evtx', status: 'pending' });
    expect(refusal(await post(form.subarray(0, -20)))).toEqual([400, 'bad_request']);
    expect(refusal(await post(form, { ...sent, 'content-type': 'text/plain' }))).toEqual([400, 'one_file']);
    const tooLarge = await post(form, { ...sent, 'content-length': '4194305' });
    expect(refusal(tooLarge)).toEqual([413, 'too_large']);
    expect(tooLarge.body).toContain('POST /api/v1/uploads');
  });

  it.each([
    [{ workflow_id: '999999' }, 400, 'unknown_workflow'],
    [{ workflow_id: 'x' }, 400, 'bad_request'],
    [{ workflow_id: '0' }, 400, 'bad_request'],
    [{ log_type_override: 'evt' }, 400, 'invalid_log_type'],
    [{ log_type_override: 'auditd' }, 400, 'workflow_mismatch'],
    [{ is_private: 'perhaps' }, 400, 'bad_request'],
  ])('refuses %j and keeps nothing of it', async (fields, status, code) => {
    expect(refusal(await upload('/upload', { fields }))).toEqual([status, code]);
    expect(stored).toHaveLength(1);
    expect(await left()).toEqual([false]);
  });

  it('refuses a file that the workflow does not take', async () => {
    const bytes = new TextEncoder().encode('hello\n');
    expect(refusal(await upload('/upload', { bytes }))).toEqual([400, 'workflow_mismatch']);
    expect(await left()).toEqual([false]);
  });

  it('names the missing field', async () => {
    const form = formOf(ports, {}, { name: 'x.evtx', bytes: evtx }, stored);
    const result = await handler(httpEvent('POST', '/upload', { form, headers: { 'content-length': '10' } }));
    expect(bodyOf(result)).toMatchObject({ code: 'bad_request', detail: 'workflow_id is required' });
    expect(await left()).toEqual([false]);
  });

  const limit = 11 * 1_048_576;
  it.each([
    ['', 411, 'length_required'],
    ['many', 411, 'length_required'],
    ['-1', 411, 'length_required'],
    [String(limit + 1), 413, 'too_large'],
  ])('refuses a Content-Length of %j before it reads', async (length, status, code) => {
    expect(refusal(await upload('/upload', { headers: { 'content-length': length } }))).toEqual([status, code]);
    expect(stored).toEqual([]);
  });

  it('refuses a body that is no form', async () => {
    const sent = { headers: { 'content-length': '2', 'content-type': 'application/json' }, body: '{}' };
    expect(refusal(await handler(httpEvent('POST', '/upload', sent)))).toEqual([400, 'one_file']);
  });

  it('refuses everything in demonstrations', async () => {
    test.settings.demoMode = true;
    expect(refusal(await upload('/upload'))).toEqual([403, 'demo_mode']);
    expect(refusal(await upload('/detect-preview'))).toEqual([403, 'demo_mode']);
    expect(stored).toEqual([]);
  });

  it('reads nothing of a request that another site caused', async () => {
    const cookies = [await signIn(ports, 'user')];
    expect(refusal(await upload('/upload', { cookies }))).toEqual([403, 'csrf']);
    expect(refusal(await upload('/upload', { cookies, headers: { origin: 'https://evil.example' } }))[0]).toBe(403);
    expect(stored).toEqual([]);
  });
});

describe('POST /api/v1/jobs', () => {
  it('reads nothing of a visitor’s file', async () => {
    expect(refusal(await upload('/api/v1/jobs'))).toEqual([401, 'unauthenticated']);
    expect(stored).toEqual([]);
  });

  it('accepts an account’s file, private if so wished', async () => {
    const sent = { cookies: [await signIn(ports, 'user')], headers: { origin } };
    const result = await upload('/api/v1/jobs', { ...sent, fields: { is_private: 'true' } });
    expect(result.statusCode).toBe(202);
    const { job_id: id } = bodyOf(result) as SubmittedJob;
    const states = (cookies: readonly string[]) =>
      handler(httpEvent('GET', '/api/v1/jobs', { cookies, query: { ids: `${id}` } }));
    expect(bodyOf(await states(sent.cookies))).toMatchObject({ jobs: [{ job_id: id, status: 'pending' }] });
    expect(bodyOf(await states([]))).toEqual({ jobs: [], unavailable_ids: [id] });
  });
});

describe('GET /api/v1/jobs', () => {
  it('answers for what exists and names what does not', async () => {
    const { job_id: id } = bodyOf(await upload('/upload')) as SubmittedJob;
    const result = await handler(httpEvent('GET', '/api/v1/jobs', { query: { ids: `${id},2000000,${id}` } }));
    expect(bodyOf(result)).toMatchObject({ jobs: [{ job_id: id, error: null }], unavailable_ids: [2_000_000] });
  });

  it.each(['', '0', '1,,2', '1;2', '2147483648', Array.from({ length: 51 }, (_, i) => i + 1).join(',')])(
    'refuses ids=%s',
    async (ids) =>
      expect(refusal(await handler(httpEvent('GET', '/api/v1/jobs', { query: { ids } })))).toEqual([
        400,
        'bad_request',
      ]),
  );
});

describe('POST /detect-preview', () => {
  it('tells the type and stores nothing', async () => {
    expect(bodyOf(await upload('/detect-preview'))).toEqual({ log_type: 'evtx', label: 'Windows Event Log (EVTX)' });
    expect(stored).toEqual([]);
  });

  it.each([
    ['', 411],
    ['262145', 413],
  ])('refuses a Content-Length of %j', async (length, status) => {
    expect((await upload('/detect-preview', { headers: { 'content-length': length } })).statusCode).toBe(status);
  });
});

describe('what the Submit page shows', () => {
  it('names the workflows', async () => {
    const listed = bodyOf(await handler(httpEvent('GET', '/api/v1/workflows'))) as { workflows: { name: string }[] };
    const names = listed.workflows.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    const home = bodyOf(await handler(httpEvent('GET', '/api/ui/home'))) as Home;
    expect(home.workflows.map(({ name }) => name)).toEqual(names);
    expect(home).toMatchObject({ max_upload_size_mb: 10, demo_mode: false, upload_slots: 2 });
  });

  it('submits none but its samples', async () => {
    expect(refusal(await handler(httpEvent('POST', '/api/ui/samples/none')))).toEqual([404, 'not_found']);
    expect(refusal(await handler(httpEvent('POST', '/api/ui/samples/..%2Fsecret')))).toEqual([404, 'not_found']);
  });
});
