import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { verifyActivity } from '@svc/application/admin/activity/verify-activity.ts';
import type { ActivityEvent, ActivityHead, ApiToken, SettingsForm, User } from '@svc/contracts';
import { activityCategories, type Role } from '@svc/domain';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { allAreas } from '../../test/support/all-areas.ts';
import { bodyOf, formOf, httpEvent, jsonPost, refusal } from '../../test/support/http-events.ts';
import { password, signIn } from '../../test/support/sessions.ts';
import type { HttpResult } from '../http-event.ts';

const test = await openTestPorts();
usePorts(test.ports);
const { handler } = await import('./admin.ts');
const { handler: auth } = await import('./auth.ts');
const jobs = await allAreas();
const { handler: submissions } = await import('./submissions.ts');

const origin = { origin: 'https://svc.example.org' };
let admin: string;
afterAll(() => test.close());
beforeEach(async () => {
  await test.reset();
  admin = await signIn(test.ports, 'admin');
});

const post = (path: string, fields: unknown = {}, cookie = admin): Promise<HttpResult> =>
  handler(jsonPost(path, fields, { cookies: [cookie], headers: origin }));
const get = (address: string, cookie = admin): Promise<HttpResult> => {
  const [path = '', query = ''] = address.split('?');
  return handler(httpEvent('GET', path, { cookies: [cookie], query: Object.fromEntries(new URLSearchParams(query)) }));
};
const me = (cookie: string): Promise<HttpResult> => auth(httpEvent('GET', '/api/users/me', { cookies: [cookie] }));
async function idOf(email: string): Promise<string> {
  return (await test.ports.accounts.findByEmail(email))!.id;
}

describe('accounts', () => {
  it('are created and listed by administrators', async () => {
    const result = await post('/admin/users', {
      email: ' New@example.org ',
      password,
      role: 'member',
      display_name: '',
    });
    expect(result.statusCode).toBe(201);
    expect(bodyOf(result)).toMatchObject({ email: 'New@example.org', role: 'member', display_name: null });
    expect(result.body).not.toContain('plain:');
    const { users } = bodyOf(await get('/admin/users')) as { users: User[] };
    expect(users.map(({ email }) => email)).toEqual(['admin@example.org', 'New@example.org']);
  });

  it.each([
    [{ email: 'ADMIN@example.org', password, role: 'user' }, 409, 'email_taken'],
    [{ email: 'a@example.org', password: 'changeme', role: 'user' }, 400, 'weak_password'],
    [{ email: 'a@example.org', password: 'xx-a@example.org', role: 'user' }, 400, 'weak_password'],
    [{ email: 'no address', password, role: 'user' }, 400, 'bad_request'],
    [{ email: 'a@example.org', password, role: 'root' }, 400, 'bad_request'],
  ])('are not created as %j', async (fields, status, code) => {
    expect(refusal(await post('/admin/users', fields))).toEqual([status, code]);
  });

  it('lose what they may do at once, and have to sign in again', async () => {
    const again = async (): Promise<string> => {
      const signedIn = await auth(jsonPost('/auth/cookie/login', { username: 'member@example.org', password }));
      return signedIn.cookies![0]!.split(';')[0]!;
    };
    const member = await signIn(test.ports, 'member');
    const id = await idOf('member@example.org');
    expect(bodyOf(await post(`/admin/users/${id}/role`, { role: 'user' }))).toMatchObject({ role: 'user' });
    expect((await me(member)).statusCode).toBe(401);
    const user = await again();
    expect(bodyOf(await me(user))).toMatchObject({ role: 'user' });
    expect(bodyOf(await post(`/admin/users/${id}/active`, { is_active: false }))).toMatchObject({ is_active: false });
    expect((await me(user)).statusCode).toBe(401);
    await post(`/admin/users/${id}/active`, { is_active: true });
    expect((await me(user)).statusCode).toBe(401);
    const last = await again();
    expect((await me(last)).statusCode).toBe(200);
    expect((await post(`/admin/users/${id}/delete`)).statusCode).toBe(204);
    expect((await me(last)).statusCode).toBe(401);
    expect(refusal(await post(`/admin/users/${id}/delete`))).toEqual([404, 'not_found']);
  });

  it('end all sessions with a new password, but the administrator’s own goes on', async () => {
    const member = await signIn(test.ports, 'member');
    await post(`/admin/users/${await idOf('member@example.org')}/password`, { password: 'a new pass phrase' });
    expect((await me(member)).statusCode).toBe(401);
    const own = await post(`/admin/users/${await idOf('admin@example.org')}/password`, {
      password: 'a new pass phrase',
    });
    expect(own.statusCode).toBe(200);
    expect(own.body).not.toContain('session');
    expect((await me(admin)).statusCode).toBe(401);
    expect((await me(own.cookies![0]!.split(';')[0]!)).statusCode).toBe(200);
  });

  it('of administrators are not their own to take away', async () => {
    const id = await idOf('admin@example.org');
    for (const [path, fields] of [
      ['role', { role: 'user' }],
      ['active', { is_active: false }],
      ['delete', {}],
    ] as const) {
      expect(refusal(await post(`/admin/users/${id}/${path}`, fields))).toEqual([409, 'self_change']);
    }
  });

  it.each(['user', 'member'] as Role[])('are none of the business of a %s', async (role) => {
    const cookie = await signIn(test.ports, role);
    expect(refusal(await get('/admin/users', cookie))).toEqual([403, 'forbidden']);
    expect(refusal(await post('/admin/users', {}, cookie))).toEqual([403, 'forbidden']);
  });
});

describe('one’s own account', () => {
  const patch = (fields: unknown, cookie: string): Promise<HttpResult> => {
    const event = jsonPost('/api/users/me', fields, { cookies: [cookie], headers: origin });
    event.requestContext.http.method = 'PATCH';
    return auth(event);
  };

  it('changes its name freely, and nothing that is not its to change', async () => {
    const user = await signIn(test.ports, 'user');
    const result = await patch({ display_name: ' Ada ', role: 'admin', is_active: false, is_superuser: true }, user);
    expect(bodyOf(result)).toMatchObject({ display_name: 'Ada', role: 'user', is_active: true });
  });

  it('needs the current password for a new address or password', async () => {
    const user = await signIn(test.ports, 'user');
    expect(refusal(await patch({ email: 'b@example.org' }, user))).toEqual([400, 'current_password_required']);
    const wrong = { email: 'b@example.org', current_password: 'wrong' };
    expect(refusal(await patch(wrong, user))).toEqual([400, 'bad_password']);
    const weak = { password: 'b@example.org!', email: 'b@example.org', current_password: password };
    expect(refusal(await patch(weak, user))).toEqual([400, 'weak_password']);
    const taken = { email: 'Admin@example.org', current_password: password };
    expect(refusal(await patch(taken, user))).toEqual([409, 'email_taken']);
    expect((await patch({ email: 'b@example.org', current_password: password }, user)).statusCode).toBe(200);
    expect(bodyOf(await me(user))).toMatchObject({ email: 'b@example.org' });
  });

  it('has to sign in again after its password changed', async () => {
    const user = await signIn(test.ports, 'user');
    expect((await patch({ password: 'a new pass phrase', current_password: password }, user)).statusCode).toBe(200);
    expect((await me(user)).statusCode).toBe(401);
  });
});

describe('API tokens', () => {
  const create = async (fields: object = {}, cookie = admin): Promise<{ id: number; token: string }> => {
    const result = await post('/admin/api-tokens', { name: 'script', scopes: ['job:read'], ...fields }, cookie);
    expect(result.statusCode).toBe(201);
    return bodyOf(result) as { id: number; token: string };
  };
  const states = (token: string, more: { cookies?: string[] } = {}): Promise<HttpResult> => {
    const headers = { authorization: `Bearer ${token}` };
    return submissions(httpEvent('GET', '/api/v1/jobs', { headers, query: { ids: '1' }, ...more }));
  };
  const listed = async (): Promise<ApiToken[]> =>
    (bodyOf(await get('/admin/api-tokens')) as { tokens: ApiToken[] }).tokens;

  it('act as their creator within their scopes', async () => {
    const { token } = await create();
    expect(token).toMatch(/^svc_[\w-]{43}$/);
    expect((await states(token)).statusCode).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    const workflows = httpEvent('GET', '/api/v1/workflows', { headers });
    expect(refusal(await submissions(workflows))).toEqual([403, 'missing_scope']);
    // What anybody may read needs no token, and a token says what it may read.
    expect(refusal(await jobs(httpEvent('GET', '/jobs', { headers })))).toEqual([403, 'missing_scope']);
    expect(refusal(await handler(httpEvent('GET', '/admin/users', { headers })))).toEqual([403, 'missing_scope']);
  });

  it('are listed without their secrets', async () => {
    const { id, token } = await create({ expires_in_days: null });
    await states(token);
    const result = await get('/admin/api-tokens');
    expect(result.body).not.toContain(token);
    expect(bodyOf(result)).toMatchObject({
      behind_basic_auth: false,
      tokens: [
        {
          id,
          prefix: token.slice(0, 8),
          state: 'active',
          creator: 'admin@example.org',
          expires_at: null,
          last_used_at: expect.any(String) as string,
        },
      ],
    });
  });

  it('end with their time, with their revocation, and with what their creator is', async () => {
    const other = await signIn(test.ports, 'admin', 'other');
    const otherId = await idOf('other@example.org');
    const [expiring, revoked, orphaned] = [
      await create({ expires_in_days: 30 }),
      await create({ expires_in_days: null }),
      await create({ expires_in_days: null }, other),
    ];
    expect((await post(`/admin/api-tokens/${revoked.id}/revoke`)).statusCode).toBe(204);
    expect(refusal(await states(revoked.token))).toEqual([401, 'bad_token']);
    await post(`/admin/users/${otherId}/role`, { role: 'user' });
    expect(refusal(await states(orphaned.token))).toEqual([401, 'bad_token']);
    await post(`/admin/users/${otherId}/role`, { role: 'member' });
    expect((await states(orphaned.token)).statusCode).toBe(200);
    await post(`/admin/users/${otherId}/delete`);
    expect(refusal(await states(orphaned.token))).toEqual([401, 'bad_token']);
    expect((await states(expiring.token)).statusCode).toBe(200);
    test.advance(30 * 86_400 + 1);
    expect(refusal(await states(expiring.token))).toEqual([401, 'bad_token']);
    expect((await listed()).map(({ state }) => state)).toEqual(['creator_inactive', 'revoked', 'expired']);
  });

  it('are decided on alone, whatever the cookie says', async () => {
    for (const wrong of ['', 'svc_wrong', 'x y']) {
      expect(refusal(await states(wrong, { cookies: [admin] }))).toEqual([401, 'bad_token']);
    }
  });

  it('need a scope that exists, and a lifetime that is offered', async () => {
    const attempt = (fields: object) => post('/admin/api-tokens', { name: 'x', scopes: ['job:read'], ...fields });
    expect(refusal(await attempt({ scopes: ['all'] }))).toEqual([400, 'bad_request']);
    expect(refusal(await attempt({ expires_in_days: 7 }))).toEqual([400, 'bad_request']);
    expect(bodyOf(await attempt({ scopes: ['job:read', 'all'] }))).toMatchObject({ scopes: ['job:read'] });
    expect(refusal(await post('/admin/api-tokens/99/revoke'))).toEqual([404, 'not_found']);
  });
});

describe('site settings', () => {
  const form = (fields: Record<string, string>): Promise<HttpResult> =>
    handler(
      httpEvent('POST', '/admin/settings', {
        cookies: [admin],
        headers: { ...origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
    );
  const counts = { max_upload_files: '50', max_finding_details: '10' };
  const shipped = {
    banner_marking: '',
    banner_text: '',
    demo_mode: false,
    parallel_execution: false,
    max_upload_files: 50,
    max_finding_details: 10,
    show_mitre_heatmap: true,
    show_event_timeline: true,
    show_alert_timeline: true,
    show_entities: true,
    show_threat_detection: true,
    show_process_tree: true,
    show_ai_analysis: false,
    show_ai_prompt: true,
    render_markdown: true,
    triage_custom_rules: false,
    private_jobs_feed_intel: true,
    builtin_rules_enabled: true,
    activity_log_enabled: false,
    activity_categories: null,
  };

  /** The settings of an answer, without what helps to decide about them. */
  const settingsOf = (result: HttpResult) => {
    const { parallel_risk: risks, categories, ...settings } = bodyOf(result) as SettingsForm;
    expect(risks).toEqual([]);
    expect(categories.map(({ category }) => category)).toEqual(activityCategories);
    return settings;
  };

  it('are shown as they ship, and change by JSON in what it names', async () => {
    expect(settingsOf(await get('/admin/settings'))).toEqual(shipped);
    const changed = { ...shipped, show_entities: false, max_upload_files: 3 };
    expect(settingsOf(await post('/admin/settings', { show_entities: false, max_upload_files: 3 }))).toEqual(changed);
    expect(settingsOf(await post('/admin/settings'))).toEqual(changed);
    expect(settingsOf(await get('/admin/settings'))).toEqual(changed);
  });

  it('change by a form as a whole: a box that is not ticked is off', async () => {
    const result = await form({ ...counts, max_upload_files: '9', demo_mode: 'on', show_entities: 'true' });
    expect(settingsOf(result)).toEqual({
      ...Object.fromEntries(Object.keys(shipped).map((name) => [name, false])),
      banner_marking: '',
      banner_text: '',
      demo_mode: true,
      show_entities: true,
      activity_categories: null,
      max_upload_files: 9,
      max_finding_details: 10,
    });
    expect(refusal(await form({ demo_mode: 'on' }))).toEqual([400, 'bad_request']);
  });

  it.each([
    [{ max_finding_details: 0 }, /^max_finding_details: must be a whole number from 1/],
    [{ max_finding_details: 1.5 }, /^max_finding_details/],
    [{ max_upload_files: 501 }, /^max_upload_files: must be a whole number from 1 to 500/],
    [{ max_upload_files: null }, /^max_upload_files/],
    [{ demo_mode: 'perhaps' }, /^demo_mode/],
    [{ banner_text: 'x'.repeat(201) }, /^banner_text/],
    [{ banner_marking: 'x'.repeat(41) }, /^banner_marking/],
    [{ show_ai_answers: false }, /^show_ai_answers: there is no such field/],
    [{ job_output_retention_days_override: 3 }, /there is no such field/],
  ])('are not taken as %j', async (fields, reason) => {
    const result = await post('/admin/settings', { show_entities: false, ...fields });
    expect(refusal(result)).toEqual([400, 'bad_request']);
    expect((bodyOf(result) as { detail: string }).detail).toMatch(reason);
    expect(settingsOf(await get('/admin/settings'))).toEqual(shipped);
  });

  it('put a line on top of every page, also of visitors', async () => {
    const banner = async () => bodyOf(await auth(httpEvent('GET', '/api/ui/session')));
    expect(await banner()).toEqual({ account: null, banner: null });
    const sent = { banner_marking: ' TLP:AMBER\n', banner_text: '<b>Case\u202E room</b>' };
    expect(bodyOf(await post('/admin/settings', sent))).toMatchObject({ banner_marking: 'TLP:AMBER' });
    expect(await banner()).toEqual({ account: null, banner: { marking: 'TLP:AMBER', text: '<b>Case room</b>' } });
    await form({ ...counts, banner_text: 'by a form' });
    expect(await banner()).toMatchObject({ banner: { marking: '', text: 'by a form' } });
  });

  it('hold for the next request: a demonstration takes no files', async () => {
    const preview = () =>
      submissions(
        httpEvent('POST', '/detect-preview', {
          form: formOf(test.ports, {}, { name: 'a.evtx', bytes: Buffer.from('ElfFile\0') }),
          headers: { 'content-length': '500' },
        }),
      );
    expect((await preview()).statusCode).toBe(200);
    await post('/admin/settings', { demo_mode: true });
    expect(refusal(await preview())).toEqual([403, 'demo_mode']);
    await post('/admin/settings', { demo_mode: false });
    expect((await preview()).statusCode).toBe(200);
  });
});

describe('the activity log', () => {
  const rows = async (query = '') => {
    const { events, ...rest } = bodyOf(await get(`/admin/activity${query}`)) as {
      events: ActivityEvent[];
      total: number;
    };
    return { ...rest, events: events.toReversed() };
  };
  const signInAs = (username: string, secret: string) =>
    auth(jsonPost('/auth/cookie/login', { username, password: secret }));

  it('tells what was done, by whom, and never what is secret', async () => {
    await signIn(test.ports, 'member');
    const id = await idOf('member@example.org');
    await post('/admin/users', { email: 'early@example.org', password, role: 'user' });
    expect(await rows()).toMatchObject({ total: 0, capture_enabled: false, retention_days: 90, last_hour: 0 });
    await post('/admin/settings', { activity_log_enabled: true, max_upload_files: 7 });
    await post('/admin/settings', { max_upload_files: 7 });
    await signInAs('member@example.org', password);
    await signInAs(' Member@example.org', 'wrong secret');
    await post(`/admin/users/${id}/active`, { is_active: false });
    await signInAs('member@example.org', password);
    await post(`/admin/users/${id}/password`, { password: 'battery staple 9' });
    await post(`/admin/users/${id}/delete`);
    await post(`/admin/users/${id}/delete`);
    const created = bodyOf(await post('/admin/api-tokens', { name: 'siem', scopes: ['job:read'] })) as {
      token: string;
    };
    await post('/admin/settings', { activity_log_enabled: false });
    await post('/admin/users', { email: 'late@example.org', password, role: 'user' });
    const { events, total } = await rows();
    expect(events.map((one) => [one.action, one.outcome, one.actor.label, one.summary])).toEqual([
      ['auth.login', 'success', 'member@example.org', 'Signed in'],
      ['auth.login_failed', 'failure', 'anonymous', 'Could not sign in as Member@example.org'],
      ['admin.user.toggle_active', 'success', 'admin@example.org', 'Deactivated the account member@example.org'],
      ['auth.login_failed', 'denied', 'anonymous', 'Could not sign in as member@example.org'],
      ['admin.user.set_password', 'success', 'admin@example.org', 'Set the password of member@example.org'],
      ['admin.user.delete', 'success', 'admin@example.org', 'Deleted the account member@example.org'],
      ['admin.token.create', 'success', 'admin@example.org', expect.stringContaining('(siem)')],
      ['admin.settings.changed', 'success', 'admin@example.org', 'Changed settings: activity_log_enabled'],
    ]);
    expect(events.at(-1)?.metadata).toEqual({ activity_log_enabled: { from: true, to: false } });
    expect(events.every(({ request_id: request }) => request.length > 8)).toBe(true);
    expect(total).toBe(8);
    const text = JSON.stringify(events);
    for (const secret of [password, 'wrong secret', 'battery staple 9', created.token])
      expect(text).not.toContain(secret);
    expect((await verifyActivity(test.ports)).problems).toEqual([]);
  });

  it('has the kinds that the site chose', async () => {
    const chosen = await post('/admin/settings', { activity_log_enabled: true, activity_categories: 'auth, nonsense' });
    expect(bodyOf(chosen)).toMatchObject({ activity_categories: ['auth'] });
    await signInAs('admin@example.org', password);
    await post('/admin/users', { email: 'new@example.org', password, role: 'user' });
    expect((await rows()).events.map(({ action }) => action)).toEqual(['auth.login']);
    expect(bodyOf(await post('/admin/settings', { activity_categories: [] }))).toMatchObject({
      activity_categories: null,
    });
  });

  it('tells whose comment was deleted, what a token did, and one row of many deeds', async () => {
    await post('/admin/settings', { activity_log_enabled: true });
    const member = await signIn(test.ports, 'member');
    const file = { name: 'a.evtx', bytes: Buffer.from('ElfFile\0') };
    const workflow = (await test.ports.workflows.list()).find(({ isDefault }) => isDefault)!.id;
    const form = formOf(test.ports, { workflow_id: String(workflow) }, file);
    const headers = { ...origin, 'content-length': '1000' };
    const sent = await submissions(httpEvent('POST', '/upload', { form, headers, cookies: [member] }));
    const { job_id: job } = bodyOf(sent) as { job_id: number };
    const asMember = (path: string, fields: unknown = {}, cookie = member) =>
      jobs(jsonPost(path, fields, { cookies: [cookie], headers: origin }));
    const thread = bodyOf(await asMember(`/comments/job/${job}`, { body: 'the password is hunter2' })) as {
      comments: { id: number }[];
    };
    await asMember(`/comments/${thread.comments[0]!.id}/delete`, {}, admin);
    await asMember('/jobs/bulk-tag', { job_ids: [job], tag: 'triage' });
    const { token, prefix } = bodyOf(
      await post('/admin/api-tokens', { name: 'x', scopes: ['ioc_feed:read', 'taxii:read'] }),
    ) as {
      token: string;
      prefix: string;
    };
    const feed = await jobs(
      httpEvent('GET', '/intel/ioc-feed', { query: { format: 'csv' }, headers: { authorization: `Bearer ${token}` } }),
    );
    expect(feed.statusCode).toBe(200);
    Object.assign(test.ports.deployment, { taxii: true });
    const page = await jobs(
      httpEvent('GET', '/taxii2/svc/collections/watched-iocs/objects/', {
        headers: { authorization: `Bearer ${token}`, accept: '*/*' },
      }),
    );
    Object.assign(test.ports.deployment, { taxii: false });
    expect(page.statusCode).toBe(200);
    const { events } = await rows();
    expect(events.map((one) => [one.action, one.actor.label, one.target?.type ?? null, one.metadata])).toEqual([
      ['job.upload', 'member@example.org', 'job', { reused: false }],
      ['discussion.comment', 'member@example.org', 'job', null],
      ['discussion.delete', 'admin@example.org', 'comment', { of_another: true }],
      ['job.tag.add', 'member@example.org', null, { tag: 'triage', count: 1 }],
      ['admin.token.create', 'admin@example.org', 'api_token', { prefix, scopes: ['ioc_feed:read', 'taxii:read'] }],
      [
        'export.ioc_feed',
        `api token ${prefix} for admin@example.org`,
        null,
        { format: 'csv', types: [], include_allowlisted: false },
      ],
      ['export.taxii', `api token ${prefix} for admin@example.org`, null, { collection: 'watched-iocs', count: 1 }],
    ]);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('is exported, narrowed, and pruned, each of which it tells', async () => {
    await post('/admin/settings', { activity_log_enabled: true });
    const at = new Date(Date.now() - 5 * 86_400_000);
    const old = {
      actorId: null,
      actorIp: '',
      category: 'job',
      targetType: 'job',
      targetId: '7',
      outcome: 'success',
    } as const;
    await test.ports.activityLog.write(
      ['=1+1', 'b'].map((actorLabel) => ({
        ...old,
        at,
        actorLabel,
        action: 'job.delete',
        summary: 'Deleted, a "job"',
        metadata: null,
        requestId: 'r',
      })),
    );
    const csv = await get('/admin/activity/export.csv?category=job&actor=1');
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(Buffer.from(csv.body!, 'base64').toString()).toBe(
      `timestamp,actor,actor_ip,action,category,target_type,target_id,outcome,summary,request_id\r\n${at.toISOString()},'=1+1,,job.delete,job,job,7,success,"Deleted, a ""job""",r\r\n`,
    );
    expect(bodyOf(await get('/admin/activity/export.json?target=7&range=24h'))).toMatchObject({ count: 0 });
    expect(bodyOf(await get('/admin/activity/export.json?target=7&range=7d'))).toMatchObject({
      count: 2,
      truncated: false,
      filters: { target: '7', range: '7d' },
    });
    const before = bodyOf(await get('/admin/activity/heads.json')) as { heads: ActivityHead[] };
    expect(before.heads.map(({ pruned }) => pruned)).toContain(false);
    expect(bodyOf(await post('/admin/activity/prune', { days: 3 }))).toEqual({ removed: 2 });
    const { events, total } = await rows('?page=99');
    expect(events.map(({ action }) => action)).toEqual([
      'export.activity',
      'export.activity',
      'export.activity',
      'admin.activity.prune',
    ]);
    expect(total).toBe(4);
    expect(refusal(await post('/admin/activity/prune', { days: 0 }))).toEqual([400, 'bad_request']);
    expect(refusal(await get('/admin/activity?range=1y'))).toEqual([400, 'bad_request']);
    expect((await verifyActivity(test.ports, before.heads)).problems).toEqual([]);
  });
});
