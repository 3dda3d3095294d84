import { usePorts } from '@svc/adapters/compose.ts';
import { MemoryRateLimiter } from '@svc/adapters/local/memory-rate-limiter.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { RateLimiter } from '@svc/application/ports/rate-limiter.ts';
import { createApiToken } from '@svc/application/admin/create-api-token.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { allAreas } from '../../test/support/all-areas.ts';
import { formOf, httpEvent, jsonPost, refusal, type Sent } from '../../test/support/http-events.ts';
import { signIn } from '../../test/support/sessions.ts';
import type { HttpEvent, HttpHandler, HttpResult } from '../http-event.ts';

const test = await openTestPorts({
  deployment: {
    rateLimits: { api: 3, comment: 2, login: 2, preview: 2, resubmit: 0, anonymousUpload: 1, accountUpload: 2 },
  },
});
let limiter = new MemoryRateLimiter();
const rateLimiter: RateLimiter = {
  take: (...asked) => limiter.take(...asked),
  giveBack: (bucket) => limiter.giveBack(bucket),
  wait: (bucket) => limiter.wait(bucket),
};
const ports = { ...test.ports, rateLimiter };
usePorts(ports);
const { handler: auth } = await import('../api/auth.ts');
const { handler: discussions } = await import('../api/discussions.ts');
const jobs = await allAreas();
const { handler: submissions } = await import('../api/submissions.ts');

afterAll(() => test.close());
beforeEach(async () => {
  await test.reset();
  limiter = new MemoryRateLimiter();
});

const from = (event: HttpEvent, ip: string): HttpEvent => {
  event.requestContext.http.sourceIp = ip;
  return event;
};
async function statuses(times: number, handler: HttpHandler, event: () => HttpEvent): Promise<unknown[]> {
  const answers: HttpResult[] = [];
  for (let at = 0; at < times; at++) answers.push(await handler(event()));
  return answers.map(({ statusCode }) => statusCode);
}
const workflows = (sent?: Sent) => () => httpEvent('GET', '/api/v1/workflows', sent);

describe('limits', () => {
  it('answer 429 and when to come back', async () => {
    await statuses(3, submissions, workflows());
    const result = await submissions(workflows()());
    expect(refusal(result)).toEqual([429, 'rate_limited']);
    expect(result.headers).toMatchObject({ 'retry-after': '60', 'x-content-type-options': 'nosniff' });
  });

  it('count every address for itself', async () => {
    expect(await statuses(4, submissions, workflows())).toEqual([200, 200, 200, 429]);
    expect((await submissions(from(workflows()(), '203.0.113.5'))).statusCode).toBe(200);
  });

  it('count wrong tokens by network, each another and for whatever they are, and good ones for themselves', async () => {
    let guesses = 0;
    const guess = () => {
      guesses += 1;
      const sent = { headers: { authorization: `Bearer svc_guess${guesses}` } };
      const path = guesses % 2 === 0 ? '/api/v1/workflows' : '/jobs';
      return from(httpEvent('GET', path, sent), `2001:db8::${guesses}`);
    };
    const both = async (event: HttpEvent) => (event.rawPath === '/jobs' ? jobs : submissions)(event);
    expect(await statuses(5, both, guess)).toEqual([401, 401, 401, 429, 429]);
    const { id } = await ports.accounts.create({
      email: 'a@b.c',
      passwordHash: 'x',
      role: 'member',
      displayName: null,
    });
    const actor = { kind: 'account', userId: id, email: 'a@b.c', role: 'member', ip: '' } as const;
    const scopes = ['job:submit' as const];
    const { token } = await createApiToken(ports, actor, { name: 'good', scopes, expires_in_days: 1 });
    const good = () => from(workflows({ headers: { authorization: `Bearer ${token}` } })(), '2001:db8::1');
    expect(await statuses(4, submissions, good)).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, submissions, workflows())).toEqual([200]);
  });

  it('count comments by account, written or changed', async () => {
    const job = await submitLog(ports, { kind: 'anonymous', ip: '192.0.2.1' });
    const [cookies, others] = [[await signIn(ports, 'user')], [await signIn(ports, 'member')]];
    const sent = { cookies, headers: { origin: 'https://svc.example.org' } };
    const comment = () => jsonPost(`/comments/job/${job}`, { body: 'x' }, sent);
    const edit = () => jsonPost('/comments/1/edit', { body: 'y' }, sent);
    expect(await statuses(1, discussions, comment)).toEqual([200]);
    expect(await statuses(2, discussions, edit)).toEqual([200, 429]);
    expect(await statuses(1, discussions, comment)).toEqual([429]);
    const other = () => jsonPost(`/comments/job/${job}`, { body: 'x' }, { ...sent, cookies: others });
    expect(await statuses(1, discussions, other)).toEqual([200]);
  });

  it('count attempts to sign in, and nothing else of theirs', async () => {
    const login = () => jsonPost('/auth/cookie/login', { username: 'a@example.org', password: 'wrong' });
    expect(await statuses(3, auth, login)).toEqual([400, 400, 429]);
    expect(await statuses(1, auth, () => httpEvent('POST', '/auth/cookie/logout'))).toEqual([204]);
  });

  it('count uploads by account, whatever address and session they come from', async () => {
    const cookies = [await signIn(ports, 'user')];
    const ips = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
    const [workflow] = await ports.workflows.list();
    const upload = (path: string, ip: string): HttpEvent => {
      const form = formOf(ports, { workflow_id: String(workflow!.id) }, { name: 'x.log', bytes: new Uint8Array(9) });
      const headers = { 'content-length': '500', origin: 'http://svc.example.org' };
      return from(httpEvent('POST', path, { cookies, form, headers }), ip);
    };
    const answers = [
      await submissions(upload('/upload', ips[0]!)),
      await submissions(upload('/api/v1/jobs', ips[1]!)),
      await submissions(upload('/upload', ips[2]!)),
    ];
    expect(answers.map((answer) => refusal(answer)[1])).toEqual([
      'workflow_mismatch',
      'workflow_mismatch',
      'rate_limited',
    ]);
  });

  it('count reservations of uploads as many as uploads, but apart from them', async () => {
    const cookies = [await signIn(ports, 'user')];
    const sent = { cookies, headers: { origin: 'https://svc.example.org', 'content-length': '100' } };
    const file = { filename: 'x.evtx', size_bytes: 1, sha256: 'ab'.repeat(32) };
    const reserve = () => jsonPost('/api/v1/uploads', file, sent);
    expect(await statuses(3, submissions, reserve)).toEqual([201, 201, 429]);
    expect(await statuses(1, submissions, () => jsonPost('/uploads', file, sent))).toEqual([429]);
    const submit = () => jsonPost('/api/v1/jobs', { upload_id: 'unknown', workflow_id: 1 }, sent);
    expect(await statuses(3, submissions, submit)).toEqual([404, 404, 429]);
    expect(await statuses(2, submissions, () => jsonPost('/uploads', file))).toEqual([201, 429]);
  });

  it('come before the file is read', async () => {
    let read = false;
    const form = { store: () => Promise.reject(new Error()), peek: () => Promise.reject(new Error()) };
    const watched = { ...form, store: () => ((read = true), form.store()) };
    const upload = () => httpEvent('POST', '/upload', { form: watched, headers: { 'content-length': '500' } });
    await submissions(upload());
    read = false;
    expect(refusal(await submissions(upload()))).toEqual([429, 'rate_limited']);
    expect(read).toBe(false);
  });

  it('leave pages and other reads alone', async () => {
    expect(await statuses(9, jobs, () => httpEvent('GET', '/jobs'))).toEqual(Array(9).fill(200));
  });
});
