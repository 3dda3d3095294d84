import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { createApiToken } from '@svc/application/admin/create-api-token.ts';
import type { Scope } from '@svc/domain';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { allAreas } from '../../test/support/all-areas.ts';
import { bodyOf, formOf, httpEvent, jsonPost, refusal, type Sent } from '../../test/support/http-events.ts';
import { signIn } from '../../test/support/sessions.ts';

const test = await openTestPorts();
const { ports } = test;
usePorts(ports);
const { handler } = await import('./cases.ts');
const { handler: submissions } = await import('./submissions.ts');
const jobs = await allAreas();
const { handler: tags } = await import('./tags.ts');

afterAll(() => test.close());
const origin = 'https://svc.example.org';
const evtx = new TextEncoder().encode(`ElfFile\0${'x'.repeat(100)}`);
let member: Sent;
let stranger: Sent;
let admin: Sent;
let user: Sent;
let workflow = '';
beforeEach(async () => {
  await test.reset();
  const as = async (...who: Parameters<typeof signIn> extends [unknown, ...infer R] ? R : never): Promise<Sent> => ({
    cookies: [await signIn(ports, ...who)],
    headers: { origin },
  });
  member = await as('member');
  stranger = await as('member', 'stranger');
  admin = await as('admin');
  user = await as('user');
  workflow = String((await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id);
});

async function token(...scopes: Scope[]): Promise<Sent> {
  const creator = (await ports.accounts.findByEmail('member@example.org'))!;
  const actor = { kind: 'account', userId: creator.id, email: creator.email, role: 'member', ip: '' } as const;
  const { token: secret } = await createApiToken(ports, actor, { name: 'script', scopes, expires_in_days: 30 });
  return { headers: { authorization: `Bearer ${secret}` } };
}

function keyed(sent: Sent, key: string): Sent {
  return { ...sent, headers: { ...sent.headers, 'idempotency-key': key } };
}

async function create(sent: Sent, fields: unknown = { name: ' Phish wave ' }) {
  return handler(jsonPost('/api/v1/cases', fields, sent));
}

async function caseOf(sent: Sent, fields?: unknown): Promise<number> {
  return (bodyOf(await create(sent, fields)) as { case_id: number }).case_id;
}

async function listed(sent: Sent, query: Record<string, string> = {}): Promise<unknown> {
  return bodyOf(await handler(httpEvent('GET', '/intel/cases/list.json', { ...sent, query })));
}

interface Fields {
  readonly [name: string]: string | string[];
}

async function submit(sent: Sent, fields: Fields = {}, path = '/api/v1/jobs', name = 'x.evtx') {
  const form = formOf(ports, { workflow_id: workflow, ...fields }, { name, bytes: evtx });
  return submissions(
    httpEvent('POST', path, { ...sent, form, headers: { 'content-length': '1000', ...sent.headers } }),
  );
}

async function jobOf(sent: Sent, fields?: Fields): Promise<number> {
  return (bodyOf(await submit(sent, fields)) as { job_id: number }).job_id;
}

async function detail(sent: Sent, id: number): Promise<unknown> {
  return bodyOf(await jobs(httpEvent('GET', `/jobs/${id}`, sent)));
}

describe('POST /api/v1/cases', () => {
  it('creates a case, trimmed, and lists it', async () => {
    const result = await create(member);
    const { case_id: id } = bodyOf(result) as { case_id: number };
    expect([result.statusCode, bodyOf(result)]).toEqual([201, { case_id: id, case_url: `/intel/cases/${id}` }]);
    expect(await listed(member)).toEqual([{ id, name: 'Phish wave', status: 'open', is_shared: false }]);
    expect(await listed(member, { status: 'all', limit: '1' })).toHaveLength(1);
    expect(await listed(member, { status: 'closed' })).toEqual([]);
  });

  it('answers a replay as before, and refuses a key for another case', async () => {
    const id = await caseOf(keyed(member, 'k'));
    const replay = await create(keyed(member, 'k'));
    expect([replay.statusCode, bodyOf(replay)]).toEqual([200, { case_id: id, case_url: `/intel/cases/${id}` }]);
    expect(refusal(await create(keyed(member, 'k'), { name: 'Other' }))).toEqual([409, 'key_reused']);
    expect(await caseOf(keyed(stranger, 'k'))).not.toBe(id);
    expect((await submit(keyed(member, 'k'))).statusCode).toBe(202);
  });

  it('creates one case of many requests with one key at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(keyed(member, 'k'))));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    expect(await listed(member)).toHaveLength(1);
  });

  it.each([
    [{ name: '  ' }, 400, 'bad_request'],
    [{}, 400, 'bad_request'],
    [{ name: 'x'.repeat(201) }, 400, 'bad_request'],
    [{ name: 'x', is_shared: 'maybe' }, 400, 'bad_request'],
  ])('refuses %j', async (fields, status, code) => {
    expect(refusal(await create(member, fields))).toEqual([status, code]);
  });

  it('is for members, and for tokens with case:write', async () => {
    expect(refusal(await create(user))).toEqual([403, 'forbidden']);
    expect(refusal(await create({}))).toEqual([401, 'unauthenticated']);
    expect(refusal(await create(await token('case:read', 'job:submit')))).toEqual([403, 'missing_scope']);
    expect((await create(await token('case:write'))).statusCode).toBe(201);
  });

  it('is refused in demonstrations, and with a key that is none', async () => {
    expect(refusal(await create(keyed(member, 'a b')))).toEqual([400, 'bad_key']);
    test.settings.demoMode = true;
    expect(refusal(await create(member))).toEqual([403, 'demo_mode']);
  });
});

describe('GET /intel/cases/list.json', () => {
  it('shows each their own, shared ones, and administrators all', async () => {
    const own = await caseOf(member, { name: 'own' });
    const shared = await caseOf(stranger, { name: 'shared', is_shared: true });
    const hidden = await caseOf(stranger, { name: 'hidden' });
    const ids = async (sent: Sent) => new Set(((await listed(sent)) as { id: number }[]).map(({ id }) => id));
    expect(await ids(member)).toEqual(new Set([own, shared]));
    expect(await ids(stranger)).toEqual(new Set([shared, hidden]));
    expect(await ids(admin)).toEqual(new Set([own, shared, hidden]));
    expect(await ids(await token('case:read'))).toEqual(new Set([own, shared]));
  });

  it('is for members, and for tokens with case:read', async () => {
    const get = async (sent: Sent) => refusal(await handler(httpEvent('GET', '/intel/cases/list.json', sent)));
    expect(await get(user)).toEqual([403, 'forbidden']);
    expect(await get({})).toEqual([401, 'unauthenticated']);
    expect(await get(await token('case:write'))).toEqual([403, 'missing_scope']);
  });
});

describe('a submission with a case', () => {
  it.each(['/api/v1/jobs', '/upload'])('to %s puts the job in it', async (path) => {
    const id = await caseOf(member);
    const result = await submit(member, { case_id: String(id) }, path);
    const answer = bodyOf(result) as { job_id: number };
    expect([result.statusCode, answer]).toEqual([202, expect.objectContaining({ case_id: id, reused: false })]);
    expect(await detail(member, answer.job_id)).toMatchObject({ member_cases: [{ case_id: id, name: 'Phish wave' }] });
    expect(await detail({}, answer.job_id)).toMatchObject({ member_cases: [], tags: [] });
    expect(await detail(stranger, answer.job_id)).toMatchObject({ member_cases: [] });
  });

  it('that is answered with an earlier job puts that in it', async () => {
    const job = await jobOf(member);
    const id = await caseOf(member);
    const result = await submit(member, { case_id: String(id) });
    expect([result.statusCode, bodyOf(result)]).toMatchObject([200, { job_id: job, reused: true, case_id: id }]);
    expect(await detail(member, job)).toMatchObject({ member_cases: [{ case_id: id }] });
  });

  it('keeps it in replays and receipts, and no key leads elsewhere', async () => {
    const id = await caseOf(member);
    const first = await submit(keyed(member, 'k'), { case_id: String(id) });
    const replay = await submit(keyed(member, 'k'), { case_id: String(id) });
    expect([replay.statusCode, bodyOf(replay)]).toEqual([200, bodyOf(first)]);
    const receipt = await submissions(httpEvent('GET', '/api/v1/submissions/k', member));
    expect(bodyOf(receipt)).toEqual(bodyOf(first));
    expect(refusal(await submit(keyed(member, 'k')))).toEqual([409, 'key_reused']);
    const other = await caseOf(member, { name: 'Other' });
    expect(refusal(await submit(keyed(member, 'k'), { case_id: String(other) }))).toEqual([409, 'key_reused']);
  });

  it('needs a case that the caller sees', async () => {
    const hidden = String(await caseOf(stranger));
    expect(refusal(await submit(member, { case_id: hidden }))).toEqual([404, 'case_not_found']);
    expect(refusal(await submit(member, { case_id: '999999' }))).toEqual([404, 'case_not_found']);
    expect((await submit(admin, { case_id: hidden })).statusCode).toBe(202);
    const shared = String(await caseOf(stranger, { name: 'shared', is_shared: true }));
    expect((await submit(member, { case_id: shared })).statusCode).toBe(202);
    expect(refusal(await submit(member, { case_id: 'x' }))).toEqual([400, 'bad_request']);
    expect((await submit(member, { case_id: '' })).statusCode).toBe(200);
  });

  it('is for members, and for tokens with both scopes', async () => {
    const id = String(await caseOf(member, { name: 'shared', is_shared: true }));
    expect(refusal(await submit(user, { case_id: id }))).toEqual([403, 'forbidden']);
    expect(refusal(await submit({}, { case_id: id }, '/upload'))).toEqual([403, 'forbidden']);
    expect(refusal(await submit(await token('job:submit'), { case_id: id }))).toEqual([403, 'missing_scope']);
    expect((await submit(await token('job:submit', 'case:write'), { case_id: id })).statusCode).toBe(202);
  });

  it('is checked before the key, and after the workflow', async () => {
    const fields = { case_id: '999999' };
    expect(refusal(await submit(keyed(member, 'a b'), fields))).toEqual([404, 'case_not_found']);
    expect(refusal(await submit(member, { ...fields, workflow_id: '999999' }))).toEqual([400, 'unknown_workflow']);
  });
});

describe('tags', () => {
  const tagsOf = async (sent: Sent, id: number) =>
    ((await detail(sent, id)) as { tags: { tag: string; color: string }[] }).tags.map(
      ({ tag, color }) => `${tag} ${color}`,
    );

  it.each<[string | string[], string[]]>([
    ['Phishing, apt/29,,phishing', ['apt/29 gray', 'phishing gray']],
    [
      ['b', 'A'],
      ['a gray', 'b gray'],
    ],
  ])('%j come with a submission', async (sent, shown) => {
    const id = await jobOf(member, { tags: sent });
    expect(await tagsOf(member, id)).toEqual(shown);
    expect(await tagsOf(user, id)).toEqual([]);
    const list = bodyOf(await jobs(httpEvent('GET', '/jobs', member))) as { jobs: { tags: unknown[] }[] };
    expect(list.jobs[0]?.tags).toHaveLength(2);
  });

  it('are added to a job that answers the submission, and are no option of a key', async () => {
    const id = await jobOf(member, { tags: 'a' });
    expect(await jobOf(keyed(member, 'k'), { tags: 'b' })).toBe(id);
    expect(await tagsOf(member, id)).toEqual(['a gray', 'b gray']);
    expect((await submit(keyed(member, 'k'), { tags: 'c' })).statusCode).toBe(200);
    expect(await tagsOf(member, id)).toEqual(['a gray', 'b gray']);
  });

  it('are at most 10, and for members', async () => {
    const eleven = Array.from({ length: 11 }, (_, turn) => `t${turn}`);
    expect(refusal(await submit(member, { tags: eleven }))).toEqual([400, 'bad_request']);
    expect(refusal(await submit(user, { tags: 'a' }))).toEqual([403, 'forbidden']);
    expect(refusal(await submit({}, { tags: 'a' }, '/upload'))).toEqual([403, 'forbidden']);
    expect((await submit({}, { tags: ' ,' }, '/upload')).statusCode).toBe(202);
  });

  const post = (path: string, fields: unknown, sent: Sent) => tags(jsonPost(path, fields, sent));

  it('are given and taken by members', async () => {
    const id = await jobOf(stranger);
    const given = await post(`/jobs/${id}/tags`, { tag: 'B,a', color: 'red,teal' }, member);
    expect(bodyOf(given)).toEqual({
      tags: [
        { tag: 'a', color: 'teal' },
        { tag: 'b', color: 'red' },
      ],
    });
    const taken = await post(`/jobs/${id}/tags/remove`, { tag: 'b' }, member);
    expect(bodyOf(taken)).toEqual({ tags: [{ tag: 'a', color: 'teal' }] });
    expect(bodyOf(await tags(httpEvent('GET', '/intel/tags.json', { ...member, query: { q: 'B' } })))).toEqual([
      { tag: 'b', color: 'red', count: 0 },
    ]);
  });

  it('of private jobs are for those who see them', async () => {
    const id = await jobOf(stranger, { is_private: 'true', tags: 'secret' });
    expect(refusal(await post(`/jobs/${id}/tags`, { tag: 'x' }, member))).toEqual([404, 'not_found']);
    expect(refusal(await post(`/jobs/${id}/tags/remove`, { tag: 'secret' }, member))).toEqual([404, 'not_found']);
    expect(await tagsOf(stranger, id)).toEqual(['secret gray']);
  });

  it('are given to many jobs and taken off them, as far as the caller sees them', async () => {
    const [mine, shared] = [await jobOf(member), await jobOf(stranger, { tags: 'a', force_resubmit: 'true' })];
    const hidden = await jobOf(stranger, { is_private: 'true', tags: 'a' });
    const job_ids = [mine, shared, shared, hidden, 2_000_000_000].join(',');
    expect(bodyOf(await post('/jobs/bulk-tag', { job_ids, tag: 'a,b', color: 'red' }, member))).toEqual({
      tagged: 2,
      links: 3,
    });
    expect(await tagsOf(member, shared)).toEqual(['a red', 'b red']);
    expect(bodyOf(await post('/jobs/bulk-untag', { job_ids, tag: 'A' }, member))).toEqual({ removed: 2 });
    expect(await tagsOf(member, shared)).toEqual(['b red']);
    expect(await tagsOf(stranger, hidden)).toEqual(['a red']);
    const unseen = { job_ids: [hidden], tag: 'new' };
    expect(bodyOf(await post('/jobs/bulk-tag', unseen, member))).toEqual({ tagged: 0, links: 0 });
    expect(bodyOf(await tags(httpEvent('GET', '/intel/tags.json', { ...member, query: { q: 'new' } })))).toEqual([]);
  });

  it.each([
    ['bulk-tag', { job_ids: '' }],
    ['bulk-tag', { job_ids: '1,x' }],
    ['bulk-tag', { job_ids: Array.from({ length: 501 }, (_, id) => id + 1) }],
    ['bulk-tag', { job_ids: '1', tag: ' ' }],
    ['bulk-untag', { job_ids: [] }],
    ['bulk-untag', { job_ids: '1', tag: ' ' }],
  ])('of many jobs are refused: %s %j', async (verb, fields) => {
    expect(refusal(await post(`/jobs/${verb}`, { tag: 'x', ...fields }, member))).toEqual([400, 'bad_request']);
  });

  it('are refused to others, and when there are none or too many', async () => {
    const id = await jobOf(member);
    expect(refusal(await post(`/jobs/${id}/tags`, { tag: 'x' }, user))).toEqual([403, 'forbidden']);
    expect(refusal(await post(`/jobs/${id}/tags`, { tag: ' , ' }, member))).toEqual([400, 'bad_request']);
    expect(refusal(await post(`/jobs/${id}/tags/remove`, { tag: '' }, member))).toEqual([400, 'bad_request']);
    const eleven = Array.from({ length: 11 }, (_, turn) => `t${turn}`);
    expect(refusal(await post(`/jobs/${id}/tags`, { tag: eleven }, member))).toEqual([400, 'bad_request']);
    expect(refusal(await tags(httpEvent('GET', '/intel/tags.json', user)))).toEqual([403, 'forbidden']);
  });
});

it('the Submit page offers cases to members', async () => {
  const offered = async (sent: Sent) =>
    (bodyOf(await submissions(httpEvent('GET', '/api/ui/home', sent))) as { can_group_cases: boolean }).can_group_cases;
  expect([await offered({}), await offered(user), await offered(member)]).toEqual([false, false, true]);
});
