import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { runPeriodicTask } from '@svc/application/work/run-periodic-task.ts';
import type { CommentThread, JobDetail, NotificationItem, WatchedJob } from '@svc/contracts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { allAreas } from '../../test/support/all-areas.ts';
import { bodyOf, formOf, httpEvent, jsonPost, refusal, type Sent } from '../../test/support/http-events.ts';
import { signIn } from '../../test/support/sessions.ts';

const test = await openTestPorts();
const { ports } = test;
usePorts(ports);
const { handler } = await import('./discussions.ts');
const { handler: submissions } = await import('./submissions.ts');
const jobs = await allAreas();
const { handler: tags } = await import('./tags.ts');

afterAll(() => test.close());
const origin = 'https://svc.example.org';
let ada: Sent;
let eve: Sent;
let user: Sent;
let admin: Sent;
let job: number;
beforeEach(async () => {
  await test.reset();
  const as = async (...who: Parameters<typeof signIn> extends [unknown, ...infer R] ? R : never): Promise<Sent> => ({
    cookies: [await signIn(ports, ...who)],
    headers: { origin },
  });
  [ada, eve, user, admin] = [await as('member', 'ada'), await as('member', 'eve'), await as('user'), await as('admin')];
  job = await jobOf(ada);
});

async function jobOf(sent: Sent, isPrivate = false): Promise<number> {
  const workflow = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id;
  const bytes = new TextEncoder().encode(`ElfFile\0${Math.random()}`);
  const form = formOf(
    ports,
    { workflow_id: String(workflow), is_private: String(isPrivate) },
    { name: 'x.evtx', bytes },
  );
  const headers = { 'content-length': '1000', ...sent.headers };
  const answer = await submissions(httpEvent('POST', '/upload', { ...sent, form, headers }));
  return (bodyOf(answer) as { job_id: number }).job_id;
}

const post = (path: string, sent: Sent, fields: unknown = {}) => handler(jsonPost(path, fields, sent));
const get = (path: string, sent: Sent, query: Record<string, string> = {}) =>
  handler(httpEvent('GET', path, { ...sent, query }));
const say = async (sent: Sent, body: string, on = `job/${job}`) =>
  bodyOf(await post(`/comments/${on}`, sent, { body })) as CommentThread;
const read = async (sent: Sent, on = `job/${job}`, query = {}) =>
  bodyOf(await get(`/comments/${on}`, sent, query)) as CommentThread;
const watch = async (sent: Sent, id = job) => bodyOf(await post(`/jobs/${id}/watch`, sent));
const unread = async (sent: Sent) => (bodyOf(await get('/notifications/count', sent)) as { unread: number }).unread;
const bell = async (sent: Sent) => (bodyOf(await get('/notifications', sent)) as { items: NotificationItem[] }).items;
const watched = async (sent: Sent) => (bodyOf(await get('/jobs/watching', sent)) as { jobs: WatchedJob[] }).jobs;
const detail = async (sent: Sent, id = job) => bodyOf(await jobs(httpEvent('GET', `/jobs/${id}`, sent))) as JobDetail;

describe('comments', () => {
  it('are trimmed, kept as written, and shown to whoever is signed in', async () => {
    const thread = await say(ada, '  **beacon** <b>?</b>\n ');
    const comment = { id: expect.any(Number), author: { name: 'ada' }, body: '**beacon** <b>?</b>' };
    expect(thread).toMatchObject({ total: 1, shown: 1, markdown: true });
    expect(thread.comments).toEqual([{ ...comment, created_at: expect.any(String), can_edit: true, can_delete: true }]);
    expect((await read(user)).comments).toMatchObject([{ ...comment, can_edit: false, can_delete: false }]);
    expect((await read(admin)).comments).toMatchObject([{ can_edit: false, can_delete: true }]);
    expect(await detail(user)).toMatchObject({ comment_count: 1, tabs: ['results', 'discussion'] });
    expect(await detail({})).toMatchObject({ comment_count: 0, watching: false, tabs: ['results'] });
    expect(refusal(await get(`/comments/job/${job}`, {}))).toEqual([401, 'unauthenticated']);
  });

  it('do nothing when they are empty, and are refused when they are too long', async () => {
    expect(await say(ada, ' \n ')).toMatchObject({ total: 0, comments: [] });
    expect((await say(ada, 'x'.repeat(4000))).total).toBe(1);
    expect(refusal(await post(`/comments/job/${job}`, ada, { body: 'x'.repeat(4001) }))).toEqual([400, 'bad_request']);
    expect(refusal(await post(`/comments/job/${job}`, ada))).toEqual([400, 'bad_request']);
  });

  it('are read 100 at once, the newest first to come', async () => {
    for (let turn = 1; turn <= 103; turn += 1) await say(ada, String(turn));
    const newest = await read(ada);
    expect(newest).toMatchObject({ total: 103, shown: 100 });
    expect([newest.comments[0]?.body, newest.comments.at(-1)?.body]).toEqual(['4', '103']);
    const older = await read(ada, `job/${job}`, { before: String(newest.comments[0]?.id) });
    expect([older.total, older.shown, older.comments.map(({ body }) => body)]).toEqual([103, 3, ['1', '2', '3']]);
  });

  it('are changed by their author alone', async () => {
    const { id } = (await say(ada, 'first')).comments[0]!;
    const edit = (sent: Sent, body: string) => post(`/comments/${id}/edit`, sent, { body });
    expect(refusal(await edit(admin, 'x'))).toEqual([403, 'forbidden']);
    expect(refusal(await edit(eve, 'x'))).toEqual([403, 'forbidden']);
    expect((bodyOf(await edit(ada, ' ')) as CommentThread).comments[0]).toMatchObject({ body: 'first' });
    const [edited] = (bodyOf(await edit(ada, 'second')) as CommentThread).comments;
    expect(edited).toMatchObject({ body: 'second', edited_at: expect.any(String) });
    expect(refusal(await post('/comments/999999/edit', ada, { body: 'x' }))).toEqual([404, 'not_found']);
  });

  it('are deleted by their author and by administrators, and forgotten after 180 days', async () => {
    const [first, second] = [(await say(ada, 'one')).comments[0]!.id, (await say(ada, 'two')).comments[1]!.id];
    expect(refusal(await post(`/comments/${first}/delete`, eve))).toEqual([403, 'forbidden']);
    expect(bodyOf(await post(`/comments/${first}/delete`, ada))).toMatchObject({ total: 1, shown: 1 });
    test.advance(120);
    expect(bodyOf(await post(`/comments/${second}/delete`, admin))).toMatchObject({ total: 0, comments: [] });
    expect(refusal(await post(`/comments/${second}/delete`, admin))).toEqual([404, 'not_found']);
    test.advance(180 * 86_400 - 60);
    await runPeriodicTask(ports, 'comment-prune');
    expect(await ports.comments.removeTombstones(new Date(Date.now() + 1e12))).toBe(1);
  });

  it('of a private job are for those who see it', async () => {
    const secret = await jobOf(eve, true);
    const { id } = (await say(eve, 'secret', `job/${secret}`)).comments[0]!;
    for (const path of [`/comments/job/${secret}`, `/comments/${id}/edit`, `/comments/${id}/delete`]) {
      expect([path, ...refusal(await post(path, ada, { body: 'x' }))]).toEqual([path, 404, 'not_found']);
    }
    expect(refusal(await get(`/comments/job/${secret}`, ada))).toEqual([404, 'not_found']);
    expect((await read(admin, `job/${secret}`)).total).toBe(1);
  });

  it('of a case are for members who see it, and its owner may delete them', async () => {
    const owner = (await ports.accounts.findByEmail('ada@example.org'))!.id;
    const made = async (isShared: boolean) =>
      (await ports.cases.create({ name: 'c', ownerId: owner, isShared, at: new Date() })).id;
    const [shared, hidden] = [await made(true), await made(false)];
    const { comments } = await say(eve, 'mine', `case/${shared}`);
    expect(comments).toMatchObject([{ can_edit: true, can_delete: true }]);
    expect((await read(ada, `case/${shared}`)).comments).toMatchObject([{ can_edit: false, can_delete: true }]);
    expect(refusal(await get(`/comments/case/${shared}`, user))).toEqual([404, 'case_not_found']);
    expect(refusal(await get(`/comments/case/${hidden}`, eve))).toEqual([404, 'case_not_found']);
    expect(bodyOf(await post(`/comments/${comments[0]!.id}/delete`, ada))).toMatchObject({ total: 0 });
    const { id } = (await say(ada, 'hidden', `case/${hidden}`)).comments[0]!;
    expect(refusal(await post(`/comments/${id}/delete`, eve))).toEqual([404, 'not_found']);
    expect(refusal(await get('/comments/entity/1', ada))).toEqual([404, 'not_found']);
  });

  it('say whether the site shows Markdown', async () => {
    test.settings.renderMarkdown = false;
    expect(await say(ada, '**x**')).toMatchObject({ markdown: false, comments: [{ body: '**x**' }] });
  });
});

describe('watching', () => {
  it('begins and ends, and a comment begins it', async () => {
    expect(await watch(ada)).toEqual({ watching: true });
    expect([(await detail(ada)).watching, (await detail(eve)).watching]).toEqual([true, false]);
    expect(await watch(ada)).toEqual({ watching: false });
    await say(ada, 'hello');
    expect((await detail(ada)).watching).toBe(true);
    expect(await watched(ada)).toMatchObject([{ job: { job_id: job }, since: expect.any(String), unread: 0 }]);
    expect(bodyOf(await post(`/jobs/watching/${job}/stop`, ada))).toEqual({ watching: false });
    expect(await watched(ada)).toEqual([]);
    expect(refusal(await post(`/jobs/${await jobOf(eve, true)}/watch`, ada))).toEqual([404, 'not_found']);
  });

  it('of more than 200 jobs is refused, but not a comment on them', async () => {
    const { id: userId } = (await ports.accounts.findByEmail('ada@example.org'))!;
    for (let turn = 0; turn < 200; turn += 1) await ports.watches.begin(userId, await jobOf(ada), new Date());
    expect(refusal(await post(`/jobs/${job}/watch`, ada))).toEqual([409, 'watch_limit']);
    expect((await say(ada, 'hello')).total).toBe(1);
    expect(await watched(ada)).toHaveLength(200);
  });
});

describe('notifications', () => {
  it('tell watchers of comments and of tags that are new, one of each submission', async () => {
    await watch(ada);
    const { comments } = await say(eve, 'Seen\n\n this before?');
    const give = (names: string) => tags(jsonPost(`/jobs/${job}/tags`, { tag: names }, eve));
    await give('triage, apt/29');
    await give('apt/29');
    const told = await bell(ada);
    const about = { stream: 'job', job: { id: job, filename: 'x.evtx' } };
    expect(told).toMatchObject([
      { ...about, kind: 'tag', summary: 'eve added apt/29, triage' },
      { ...about, kind: 'comment', comment_id: comments[0]!.id, summary: 'eve: Seen this before?' },
    ]);
    expect(told[0]).not.toHaveProperty('comment_id');
    expect([await unread(ada), await unread(eve)]).toEqual([2, 0]);
    expect(await watched(ada)).toMatchObject([{ unread: 2 }]);
    await tags(jsonPost(`/jobs/${job}/tags/remove`, { tag: 'triage' }, eve));
    await give('triage');
    expect(await unread(ada)).toBe(3);
  });

  it('are acknowledged by whom they are for', async () => {
    await watch(ada);
    for (const body of ['1', '2', '3', '4']) await say(eve, body);
    const [newest] = await bell(ada);
    const path = `/notifications/job/${newest!.id}/ack`;
    expect(refusal(await post(path, eve))).toEqual([404, 'not_found']);
    expect(refusal(await post(path, admin))).toEqual([404, 'not_found']);
    expect(bodyOf(await post(path, ada))).toMatchObject({ unread: 3 });
    expect(bodyOf(await post(path, ada))).toMatchObject({ unread: 3 });
    expect(refusal(await post(`/notifications/rule/${newest!.id}/ack`, ada))).toEqual([404, 'not_found']);
    expect(refusal(await post(`/notifications/all/${newest!.id}/ack`, ada))).toEqual([404, 'not_found']);
    expect(bodyOf(await post(`/jobs/watching/${job}/ack`, ada))).toMatchObject({ unread: 0 });
    await say(eve, '5');
    expect(bodyOf(await post('/notifications/ack-all', eve))).toMatchObject({ unread: 0 });
    expect(await unread(ada)).toBe(1);
    expect(bodyOf(await post('/notifications/ack-all', ada))).toMatchObject({ unread: 0 });
    expect(await bell(ada)).toEqual([]);
  });

  it('wait again when their acknowledgement is taken back', async () => {
    await watch(ada);
    for (const body of ['1', '2']) await say(eve, body);
    const all = bodyOf(await post('/notifications/ack-all', ada)) as { acknowledged_at: string };
    const moment = { acknowledged_at: all.acknowledged_at };
    expect(bodyOf(await post('/notifications/restore', eve, moment))).toEqual({ unread: 0 });
    expect(await bell(ada)).toEqual([]);
    expect(bodyOf(await post('/notifications/restore', ada, moment))).toEqual({ unread: 2 });
    expect((await bell(ada)).map(({ summary }) => summary)).toEqual(['eve: 2', 'eve: 1']);
    for (const acknowledged_at of ['now', '0000-01-01T00:00:00Z']) {
      const answer = await post('/notifications/restore', ada, { acknowledged_at });
      expect(refusal(answer)).toEqual([400, 'bad_request']);
    }
  });

  it('show the newest 25, and count all', async () => {
    await watch(ada);
    for (let turn = 1; turn <= 27; turn += 1) await say(eve, String(turn));
    expect([(await bell(ada)).length, await unread(ada)]).toEqual([25, 27]);
    expect((await bell(ada))[0]?.summary).toBe('eve: 27');
  });

  it('keep no text of a comment that was changed or deleted', async () => {
    await watch(ada);
    const { id } = (await say(eve, 'the password is hunter2')).comments[0]!;
    await post(`/comments/${id}/edit`, eve, { body: 'oops' });
    expect(await bell(ada)).toMatchObject([{ summary: 'eve: oops' }]);
    await post(`/comments/${id}/delete`, eve);
    expect([await bell(ada), await unread(ada)]).toEqual([[], 0]);
  });
});
