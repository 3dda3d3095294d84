import { addAlertRule } from '@svc/adapters/testing/add-alert-rule.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { borrowDatabase } from '@svc/adapters/testing/test-database.ts';
import { addAdmin, openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { webhookDeliveries } from '@svc/adapters/postgres/schema/index.ts';
import { classOf } from '@svc/adapters/outbound/addresses.ts';
import { type Network, systemNetwork } from '@svc/adapters/outbound/network.ts';
import { outboundPolicies } from '@svc/adapters/outbound/policies.ts';
import { UndiciOutboundHttp } from '@svc/adapters/outbound/undici-outbound-http.ts';
import { readEnvironment } from '@svc/config';
import { eq } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readTask } from '@svc/contracts/tasks.ts';
import { writeComment } from '../discussions/add-comment.ts';
import { drainHappenings } from '../happenings/drain-happenings.ts';
import type { Ports } from '../ports/ports.ts';
import type { AnsweredWebhook, OutgoingWebhook } from '../ports/webhook-sender.ts';
import { tagJob } from '../tags/tag-job.ts';
import { handleTask } from '../work/handle-task.ts';
import { runPeriodicTask } from '../work/run-periodic-task.ts';
import { queueDueWebhooks } from './queue-due-webhooks.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { removeWebhookDeliveries } from './remove-webhook-deliveries.ts';
import { testWebhook } from './test-webhook.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { sendQueuedWebhook, sendWebhook } from './send-webhook.ts';
import { secretPlace } from './alert-rule-repository.ts';
import { webhookSignature } from './webhook-signature.ts';

const { database, giveBack } = await borrowDatabase();
const test = await openTestPorts({
  database,
  deployment: { webhooks: { perMinute: 0, maxRetries: 3, patienceSeconds: 60, publicOnly: false } },
});
let ports: Ports;
let boss: Extract<Actor, { kind: 'account' }>;

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
const received: Received[] = [];
type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
const receiver = createServer((request, response) => {
  const { method = '', url: path = '', headers } = request;
  const take = async (): Promise<void> => {
    received.push({ method, path, headers, body: await text(request) });
    answer(request, response);
  };
  take().catch(() => undefined);
});
let url: string;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await test.close();
  await giveBack();
});
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
  boss = await addAdmin(ports);
  received.length = 0;
  answer = (_, response) => response.writeHead(204).end();
});

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end();

const rule = (over: Partial<Parameters<typeof addAlertRule>[2]> = {}, to = url): Promise<number> =>
  addAlertRule(database.orm, to, { ownerId: boss.userId, ...over });

async function deliver(
  ruleId: number,
  over: { jobId?: number | null; event?: 'rule.match' | 'job.match' | 'rule.test' } = {},
) {
  const id = randomUUID();
  const { jobId = null, event = 'rule.test' } = over;
  const delivery = {
    id,
    ruleId,
    jobId,
    event,
    matchCount: jobId === null ? 0 : 2,
    entityIds: [],
    at: ports.clock.now(),
  };
  await ports.transaction((tx) => tx.webhookDeliveries.add([delivery]));
  return id;
}

/** Does what is due by the clock that tests move, which delayed tasks do not go by; how many tasks that was. */
async function work(using: Ports = ports): Promise<number> {
  await database.orm.execute('delete from queued_tasks where due_at > statement_timestamp()');
  await queueDueWebhooks(using);
  for (let done = 0; ; done += 1) {
    const lease = await using.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['outbound'] });
    if (!lease) return done;
    await handleTask(using, lease, { leave: new AbortController().signal });
  }
}

const shown = async (id: string, viewer: Actor = boss) => (await ports.webhookDeliveryLists.get(viewer, id))!;
const headersOf = (at = -1) => received.at(at)!.headers;
const bodyOf = (at = -1) => JSON.parse(received.at(at)!.body) as Record<string, unknown>;

it('signs as the specification’s example does', () => {
  expect(webhookSignature('s3cret', '1785578400', '{"event":"rule.test"}')).toBe(
    'sha256=7fdde24ea4f08a88dbc6a1febd74f89373173e1d2946991260595da7b1b4d32e',
  );
});

describe('what is sent', () => {
  it('is what matched, with its headers, signed, and kept as it was sent', async () => {
    const jobId = await submitLog(ports, boss);
    const ruleId = await rule({
      webhookMethod: 'PUT',
      webhookHeaders: { 'X-Team': 7, 'x-svc-event': 'forged', 'user-agent': 'me' },
    });
    await database.orm.execute(
      `update alert_rules set sealed_secret = '${await ports.secretBox.seal('s3cret', secretPlace(ruleId))}'`,
    );
    const id = await deliver(ruleId, { jobId, event: 'rule.match' });
    await work();
    expect(received).toHaveLength(1);
    expect(bodyOf()).toEqual({
      event: 'rule.match',
      rule: { id: ruleId, name: 'Night watch', query: 'list:crown_jewels', tag: 'prio/1' },
      job: { id: jobId, status: 'pending', score_ratio: '0/0', url: `http://localhost:0/jobs/${jobId}` },
      match_count: 2,
      truncated: false,
      entities: [],
      delivery_id: id,
      sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
    });
    const headers = headersOf();
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhook/1',
      'x-svc-event': 'rule.match',
      'x-svc-delivery': id,
      'x-svc-attempt': '1',
      'x-team': '7',
    });
    const timestamp = headers['x-svc-timestamp'] as string;
    expect(headers['x-svc-signature']).toBe(webhookSignature('s3cret', timestamp, received[0]!.body));
    const { requests, attempts, state } = await shown(id);
    expect(state).toBe('delivered');
    expect(attempts).toMatchObject([{ attempt: 1, ok: true, statusCode: 204, error: null, nextAttemptAt: null }]);
    expect(requests.get(1)).toMatchObject({ method: 'PUT', url, body: received[0]!.body });
    expect(JSON.stringify([...requests])).not.toContain('s3cret');
  });

  it('says how a job stands, and of a test that it is one', async () => {
    const jobId = await submitLog(ports, boss);
    await deliver(await rule({ scope: 'job', actionTags: [] }), { jobId, event: 'job.match' });
    await work();
    expect(bodyOf()).toMatchObject({
      event: 'job.match',
      rule: { tag: null },
      job: { id: jobId, total_findings: 0, severity_summary: { critical: 0 } },
      entities: [],
    });
    await testWebhook(ports, boss, { id: await rule() });
    await work();
    expect(bodyOf()).toMatchObject({
      event: 'rule.test',
      test: true,
      job: { id: null, status: null, score_ratio: null, url: null },
      match_count: 0,
      entities: [],
    });
    expect(headersOf()).not.toHaveProperty('x-svc-signature');
  });

  it('is made anew for each attempt', async () => {
    const jobId = await submitLog(ports, boss);
    const ruleId = await rule();
    const id = await deliver(ruleId, { jobId, event: 'rule.match' });
    answer = status(503);
    await work();
    const delayed =
      'select round(extract(epoch from due_at - statement_timestamp()))::int as seconds from queued_tasks where lane =';
    expect(await database.orm.execute(`${delayed} 'outbound'`)).toMatchObject({ rows: [{ seconds: 60 }] });
    await database.orm.execute(`update alert_rules set name = 'Day watch'`);
    answer = status(200);
    test.advance(60);
    await work();
    expect(bodyOf()).toMatchObject({ rule: { name: 'Day watch' }, delivery_id: id });
    expect(headersOf()).toMatchObject({ 'x-svc-delivery': id, 'x-svc-attempt': '2' });
    expect(Number(headersOf()['x-svc-timestamp']) - Number(headersOf(0)['x-svc-timestamp'])).toBeGreaterThanOrEqual(60);
  });
});

describe('a delivery', () => {
  const attempts = async (id: string): Promise<string[]> => {
    const { attempts: all, state } = await shown(id);
    return [...all.map(({ statusCode, error }) => `${statusCode ?? '-'} ${error ?? 'ok'}`), state];
  };

  /** Moves the clock to each next attempt, and tells after how many seconds those came. */
  async function follow(id: string): Promise<number[]> {
    const waits: number[] = [];
    for (;;) {
      await work();
      const next = (await shown(id)).attempts.at(-1)?.nextAttemptAt ?? null;
      if (next === null) return waits;
      const seconds = (next.getTime() - ports.clock.now().getTime()) / 1000;
      waits.push(Math.round(seconds));
      test.advance(seconds + 0.5);
    }
  }

  it('is tried again after one, two and four minutes, and then given up', async () => {
    answer = status(500);
    const id = await deliver(await rule(), { jobId: await submitLog(ports, boss), event: 'rule.match' });
    expect(await follow(id)).toEqual([60, 120, 240]);
    expect(await attempts(id)).toEqual([...Array<string>(4).fill('500 Answered 500'), 'failed']);
    expect(new Set(received.map(({ headers }) => headers['x-svc-delivery']))).toEqual(new Set([id]));
  });

  it('waits for as long as a receiver asks that has too much to do, within a quarter of an hour', async () => {
    const id = await deliver(await rule(), { jobId: await submitLog(ports, boss), event: 'rule.match' });
    const asked = ['7', '86400', new Date(Date.now() + 3_600_000).toUTCString(), 'soon'];
    let at = 0;
    answer = (_, response) => response.writeHead(429, { 'retry-after': asked[at++]! }).end();
    expect(await follow(id)).toEqual([7, 900, 900]);
    expect(await attempts(id)).toEqual([...Array<string>(4).fill('429 Answered 429'), 'failed']);
  });

  it.each([[400], [401], [404], [410]])('is not tried again after %s', async (code) => {
    answer = status(code);
    const id = await deliver(await rule(), { jobId: await submitLog(ports, boss), event: 'rule.match' });
    expect(await follow(id)).toEqual([]);
    expect(await attempts(id)).toEqual([`${code} Answered ${code}`, 'failed']);
  });

  it('follows no redirect, and tries again', async () => {
    answer = status(302, { location: 'http://169.254.169.254/' });
    const id = await deliver(await rule(), { jobId: await submitLog(ports, boss), event: 'rule.match' });
    await work();
    expect(await attempts(id)).toEqual(['302 Answered 302: redirects are not followed', 'queued']);
  });

  it('of a test has one attempt', async () => {
    answer = status(500);
    const { delivery_id: id } = await testWebhook(ports, boss, { id: await rule() });
    expect(await follow(id)).toEqual([]);
    expect(await attempts(id)).toEqual(['500 Answered 500', 'failed']);
  });

  it.each([
    ['http://169.254.169.254/latest', 'link-local'],
    ['http://[::ffff:169.254.169.254]/', 'link-local'],
    ['http://2852039166/', 'link-local'],
    ['http://metadata.google.internal/', 'metadata'],
  ])('to %s is refused, and not tried again', async (to, reason) => {
    const id = await deliver(await rule({}, to), { jobId: await submitLog(ports, boss), event: 'rule.match' });
    expect(await follow(id)).toEqual([]);
    const [only] = (await shown(id)).attempts;
    expect(only).toMatchObject({ ok: false, statusCode: null, error: expect.stringContaining(reason) as string });
    expect((await shown(id)).requests.size).toBe(0);
  });

  /** Ports whose sender looks names up as a test says; no address but those of this machine takes a connection. */
  function onNetwork(resolve: Network['resolve'], settings: Record<string, string> = {}): Ports {
    const connector: Network['connector'] = (address, timeoutMs) => {
      const connect = systemNetwork.connector('127.0.0.1', timeoutMs);
      return (options, done) => {
        if (classOf(address) === 'internal') connect({ ...options, hostname: '127.0.0.1' }, done);
        else done(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null);
      };
    };
    const outbound = new UndiciOutboundHttp(outboundPolicies(readEnvironment(settings)), { resolve, connector });
    return { ...ports, outbound, webhookSender: { send: ({ request }) => sendWebhook({ outbound }, request) } };
  }
  const port = (): string => new URL(url).port;

  describe.each([
    ['of this machine, where only the public is allowed', '127.0.0.1', { WEBHOOK_REQUIRE_PUBLIC_HOST: 'true' }],
    ['of a metadata service', '169.254.169.254', {}],
    ['of a metadata service, mapped', '::ffff:169.254.169.254', {}],
  ])('whose name leads to an address %s', (_, inside, settings) => {
    it('after it led to a public one goes to no other than the one that was looked at', async () => {
      let asked = 0;
      ports = onNetwork(async () => [(asked += 1) === 1 ? '93.184.215.14' : inside], settings);
      const id = await deliver(await rule({}, `http://rebinding.example:${port()}/`), {
        jobId: await submitLog(ports, boss),
        event: 'rule.match',
      });
      expect(await follow(id)).toEqual([60]);
      expect(await attempts(id)).toEqual([
        '- No answer from rebinding.example (ECONNREFUSED)',
        expect.stringContaining(`- rebinding.example (${inside}) is`),
        'failed',
      ]);
      expect([asked, received]).toEqual([2, []]);
    });

    it('among public ones is refused', async () => {
      ports = onNetwork(async () => ['93.184.215.14', inside], settings);
      const id = await deliver(await rule({}, `http://mixed.example:${port()}/`));
      expect(await follow(id)).toEqual([]);
      expect([(await attempts(id)).at(-1), received]).toEqual(['failed', []]);
    });
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    'localhost',
  ])('to %s reaches it, or nothing where only the public is allowed', async (host) => {
    const to = `http://${host}:${port()}/`;
    const local: Network['resolve'] = async () => ['127.0.0.1'];
    ports = onNetwork(local, { WEBHOOK_REQUIRE_PUBLIC_HOST: 'true' });
    const refused = await deliver(await rule({}, to));
    expect(await follow(refused)).toEqual([]);
    expect((await attempts(refused))[0]).toContain('is not a public address');
    expect(received).toEqual([]);
    ports = onNetwork(local);
    const delivered = await deliver(await rule({}, to));
    await follow(delivered);
    expect(await attempts(delivered)).toEqual(['204 ok', 'delivered']);
  });

  it('to a name that has no address is tried again', async () => {
    const id = await deliver(await rule({}, 'http://no-such-name.invalid/'), {
      jobId: await submitLog(ports, boss),
      event: 'rule.match',
    });
    await work();
    expect((await shown(id)).attempts.at(-1)?.nextAttemptAt).not.toBeNull();
  });

  it('beyond the limit of its rule is recorded and not sent', async () => {
    const limited = {
      ...ports,
      deployment: { ...ports.deployment, webhooks: { ...ports.deployment.webhooks, perMinute: 2 } },
    };
    const ruleId = await rule();
    const ids = [await deliver(ruleId), await deliver(ruleId), await deliver(ruleId)];
    await work(limited);
    expect(received).toHaveLength(2);
    const ends = await Promise.all(ids.map(async (id) => (await attempts(id)).join()));
    expect(ends.toSorted()).toEqual(['- rate limited,failed', '204 ok,delivered', '204 ok,delivered']);
  });

  it.each([
    ['has its webhook switched off', `update alert_rules set webhook_enabled = false`],
    ['has no address any more', `update alert_rules set webhook_url = null`],
    ['is gone', `delete from alert_rules`],
    ['is of an account that was deactivated', `update accounts set is_active = false`],
    ['is of an account that is no member any more', `update accounts set role = 'user'`],
    ['is of the site, of a private job', `update alert_rules set owner_id = null, key = 'k'`],
  ])('of a rule that %s is dropped without a word', async (_, change) => {
    const jobId = await submitLog(ports, boss, { is_private: true });
    await deliver(await rule(), { jobId, event: 'rule.match' });
    await database.orm.execute(change);
    await work();
    expect(received).toEqual([]);
    expect(await database.orm.execute('select from webhook_deliveries')).toMatchObject({ rows: [] });
  });

  it('whose secret cannot be read any more is not sent unsigned', async () => {
    const id = await deliver(await rule({ sealedSecret: 'of another key' }));
    await work();
    expect(received).toEqual([]);
    expect((await attempts(id))[0]).toContain('The signing secret cannot be read any more');
  });

  it('that ended is sent again under its id when somebody asks, as often as a new one', async () => {
    answer = status(500);
    const ruleId = await rule();
    const id = await deliver(ruleId, { jobId: await submitLog(ports, boss), event: 'rule.match' });
    await expect(redeliverWebhook(ports, boss, { id })).rejects.toMatchObject({ code: 'conflict' });
    expect(await follow(id)).toHaveLength(3);
    expect(await redeliverWebhook(ports, boss, { id })).toEqual({ delivery_id: id });
    expect(await follow(id)).toEqual([60, 120, 240]);
    answer = status(200);
    await redeliverWebhook(ports, boss, { id });
    await follow(id);
    expect((await attempts(id)).slice(-2)).toEqual(['200 ok', 'delivered']);
    expect(received.map(({ headers }) => headers['x-svc-attempt'])).toEqual(
      Array.from({ length: 9 }, (_, at) => String(at + 1)),
    );
  });

  it('is forgotten when its time is over, with its attempts, unless it is on its way', async () => {
    const [done, waiting] = [await deliver(await rule()), await deliver(await rule())];
    await database.orm.execute(`update webhook_deliveries set state = 'delivered', due_at = null where id = '${done}'`);
    test.advance(31 * 86_400);
    expect(await removeWebhookDeliveries(ports)).toBe(1);
    expect(await ports.webhookDeliveryLists.get(boss, done)).toBeNull();
    expect(await shown(waiting)).toMatchObject({ state: 'queued' });
    await runPeriodicTask(ports, 'webhook-prune');
  });
});

describe('what happens to a watched job', () => {
  it('is told once for each action, as its watcher reads it by then', async () => {
    const jobId = await submitLog(ports, boss);
    const ruleId = await rule({ tellsOfWatchedJobs: true });
    await ports.watches.begin(boss.userId, jobId, new Date());
    const { id: eve } = await ports.accounts.create({
      email: 'eve@example.org',
      passwordHash: 'x',
      role: 'member',
      displayName: 'eve',
    });
    const say = (body: string) =>
      writeComment(ports, { on: { target: 'job', id: jobId }, authorId: eve, body, at: new Date() });
    await say('look at this');
    await drainHappenings(ports);
    await work();
    expect(bodyOf()).toMatchObject({
      event: 'job.watch',
      rule: { id: ruleId, name: 'Night watch' },
      job: { id: jobId },
      match_count: 1,
      entities: [],
      events: [{ kind: 'comment', ref_id: expect.any(Number) as number, summary: 'eve: look at this' }],
    });
    expect(Object.keys(bodyOf()['rule'] as object)).toEqual(['id', 'name']);

    const marks = ['a', 'b'].map((tag) => ({ name: tag, color: null }));
    await ports.transaction((tx) => tx.tags.create(marks, { description: null, by: null, at: new Date() }));
    const giver = { kind: 'account', userId: eve, email: 'eve@example.org', role: 'member', ip: '' } as const;
    await tagJob(ports, giver, { id: jobId, tag: ['a', 'b'], color: [] });
    await drainHappenings(ports);
    await work();
    expect(received).toHaveLength(2);
    expect(bodyOf()).toMatchObject({ event: 'job.watch', events: [{ kind: 'tag' }] });
  });

  it('is not told when it was taken back before, or nobody watches any more', async () => {
    const jobId = await submitLog(ports, boss);
    await rule({ tellsOfWatchedJobs: true });
    await ports.watches.begin(boss.userId, jobId, new Date());
    await writeComment(ports, {
      on: { target: 'job', id: jobId },
      authorId: (
        await ports.accounts.create({ email: 'eve@example.org', passwordHash: 'x', role: 'member', displayName: null })
      ).id,
      body: 'x',
      at: new Date(),
    });
    await drainHappenings(ports);
    await ports.watches.end(boss.userId, jobId);
    await work();
    expect(received).toEqual([]);
    expect(await database.orm.$count(webhookDeliveries)).toBe(0);
  });
});

describe('a sender elsewhere', () => {
  it('is given signed requests alone, and what it says ends the attempt, once', async () => {
    const [left, told]: [OutgoingWebhook[], AnsweredWebhook[]] = [[], []];
    const fast: Ports = { ...ports, webhookSender: { send: async (webhook) => (left.push(webhook), null) } };
    const sender = {
      ...ports,
      webhookAnswers: { tell: async (answered: AnsweredWebhook) => void told.push(answered) },
    };
    answer = status(500);
    const id = await deliver(await rule(), { jobId: await submitLog(ports, boss), event: 'rule.match' });
    await work(fast);
    expect([received.length, left.length]).toEqual([0, 1]);
    expect(await shown(id)).toMatchObject({ state: 'queued', attempts: [{ ok: null }] });
    const message: unknown = JSON.parse(JSON.stringify(left[0]));
    await sendQueuedWebhook(sender, message, new Date(Date.now() - 181_000));
    expect(received).toEqual([]);
    await sendQueuedWebhook(sender, message, new Date());
    await sendQueuedWebhook(sender, message, new Date());
    expect([received.length, told.length]).toEqual([2, 2]);
    for (const answered of told) {
      const task = readTask(JSON.parse(JSON.stringify({ kind: 'end_webhook_attempt', ...answered })));
      if (task.kind !== 'end_webhook_attempt') throw new Error('it is no task');
      await ports.tasks.enqueue(task);
      const lease = (await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['prompt'] }))!;
      await handleTask(ports, lease, { leave: new AbortController().signal });
    }
    const { attempts, state } = await shown(id);
    expect([state, attempts.length, attempts[0]?.ok, attempts[0]?.statusCode]).toEqual(['queued', 1, false, 500]);
    await expect(sendQueuedWebhook(sender, { request: {} }, new Date())).rejects.toThrow('deliveryId');
  });
});

describe('the list', () => {
  it('has deliveries of one’s own rules, for administrators those of the site, and none of jobs that are not seen', async () => {
    const member = async (name: string) => {
      const { id } = await ports.accounts.create({
        email: `${name}@example.org`,
        passwordHash: 'x',
        role: 'member',
        displayName: null,
      });
      return { kind: 'account', userId: id, email: `${name}@example.org`, role: 'member', ip: '' } as const;
    };
    const [eve, mallory] = [await member('eve'), await member('mallory')];
    const own = await rule({ ownerId: eve.userId });
    const shared = await rule({ ownerId: null, key: 'shared' });
    const hidden = await submitLog(ports, boss, { is_private: true });
    const open = await submitLog(ports, boss);
    const ids = {
      own: await deliver(own, { jobId: open, event: 'rule.match' }),
      hidden: await deliver(own, { jobId: hidden, event: 'rule.match' }),
      shared: await deliver(shared, { jobId: open, event: 'rule.match' }),
    };
    const listedTo = async (viewer: Actor, over = {}) => {
      const { deliveries } = await listWebhookDeliveries(ports, viewer, { rule_id: null, ...over });
      return deliveries.map(({ id }) => id);
    };
    expect(await listedTo(eve)).toEqual([ids.own]);
    expect(await listedTo(mallory)).toEqual([]);
    expect(await listedTo(boss)).toEqual([ids.shared]);
    expect(await listedTo(eve, { state: 'failed' })).toEqual([]);
    expect(await listedTo(eve, { rule_id: shared })).toEqual([]);
    await expect(getWebhookDelivery(ports, eve, { id: ids.hidden })).rejects.toMatchObject({ code: 'not_found' });
    await expect(redeliverWebhook(ports, mallory, { id: ids.own })).rejects.toMatchObject({ code: 'not_found' });
    for (const id of [own, shared]) {
      await expect(testWebhook(ports, mallory, { id })).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(testWebhook(ports, eve, { id: shared })).rejects.toMatchObject({ code: 'not_found' });
    await testWebhook(ports, boss, { id: shared });
    await database.orm.execute('update alert_rules set webhook_enabled = false');
    await expect(testWebhook(ports, eve, { id: own })).rejects.toMatchObject({ code: 'webhook_disabled' });
    await database.orm.execute('update alert_rules set webhook_url = null');
    await expect(testWebhook(ports, eve, { id: own })).rejects.toMatchObject({ code: 'no_webhook' });
  });

  it('goes on where a page ends', async () => {
    const ruleId = await rule();
    const ids: string[] = [];
    for (let at = 0; at < 27; at += 1) ids.push(await deliver(ruleId));
    const first = await listWebhookDeliveries(ports, boss, { rule_id: null });
    const rest = await listWebhookDeliveries(ports, boss, { rule_id: null, before: first.before! });
    expect([first.deliveries.length, rest.deliveries.length, rest.before]).toEqual([25, 2, null]);
    expect([...first.deliveries, ...rest.deliveries].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });
});

/** The process is dead: from that call of a port on, nothing that it does has an effect. */
class Killed extends Error {}

it('is lost nowhere, and never told under two ids, whatever call a process dies at', async () => {
  const jobId = await submitLog(ports, boss);
  const ruleId = await rule();
  for (let step = 1; ; step += 1) {
    for (const isAfter of [false, true]) {
      received.length = 0;
      let calls = 0;
      let isDead = false;
      const dying = <T extends object>(port: T): T =>
        new Proxy(port, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== 'function') return value;
            return async (...args: unknown[]): Promise<unknown> => {
              calls += 1;
              if (isDead || (calls === step && !isAfter)) {
                isDead = true;
                throw new Killed();
              }
              const result: unknown = await Reflect.apply(value, target, args);
              if (calls >= step) {
                isDead = true;
                throw new Killed();
              }
              return result;
            };
          },
        });
      const mortal: Ports = {
        ...ports,
        jobs: dying(ports.jobs),
        tasks: dying(ports.tasks),
        webhookAttempts: dying(ports.webhookAttempts),
        webhookDeliveries: dying(ports.webhookDeliveries),
        webhookSender: dying(ports.webhookSender),
      };
      const id = await deliver(ruleId, { jobId, event: 'rule.match' });
      const end = await work(mortal).catch((error: unknown) => error);
      // What it was doing is taken up by others when its leases are over.
      await database.orm.execute('delete from queued_tasks');
      for (let minute = 0; minute < 4; minute += 1) {
        test.advance(61);
        await work();
      }
      const { state } = await shown(id);
      expect([step, isAfter, state]).toEqual([step, isAfter, 'delivered']);
      expect(new Set(received.map(({ headers }) => headers['x-svc-delivery']))).toEqual(new Set([id]));
      if (!(end instanceof Killed) && !isDead) return;
    }
    expect(step, 'it goes on and on').toBeLessThan(40);
  }
});

it('ends delivered or failed, once, whatever receivers do', async () => {
  const jobId = await submitLog(ports, boss);
  const owner = boss.userId;
  const rules = await Promise.all(Array.from({ length: 8 }, (_, at) => rule({ ownerId: owner, name: `r${at}` })));
  const behaviours: Answer[] = [
    status(200),
    status(500),
    status(429, { 'retry-after': '3' }),
    status(301, { location: '/' }),
    status(404),
    (request) => request.socket.destroy(),
    (_, response) => response.writeHead(200).flushHeaders(),
    (_, response) => {
      response.writeHead(503);
      const more = (): void =>
        void (response.write(Buffer.alloc(65_536)) ? setImmediate(more) : response.once('drain', more));
      response.on('error', () => undefined);
      more();
    },
  ];
  let turn = 0;
  // Some never answer.
  answer = (request, response) =>
    (turn += 1) % 60 === 0 ? undefined : behaviours[turn % behaviours.length]!(request, response);
  const outbound = new UndiciOutboundHttp(outboundPolicies(readEnvironment({ WEBHOOK_TIMEOUT_SECONDS: '1' })));
  ports = { ...ports, outbound, webhookSender: { send: ({ request }) => sendWebhook({ outbound }, request) } };
  // SVC_TEST_DELIVERIES=10000 has them all.
  const perRule = Math.ceil(Number(process.env['SVC_TEST_DELIVERIES'] ?? 200) / rules.length);
  const ids: string[] = [];
  for (const ruleId of rules) {
    for (let count = 0; count < perRule; count += 1) ids.push(await deliver(ruleId, { jobId, event: 'rule.match' }));
  }
  for (let minute = 0; ; minute += 1) {
    expect(minute).toBeLessThan(60);
    await Promise.all([work(), work(), work()]);
    test.advance(60);
    if ((await database.orm.$count(webhookDeliveries, eq(webhookDeliveries.state, 'queued'))) === 0) break;
  }
  const all = await Promise.all(ids.map((id) => shown(id)));
  for (const { state, attempts } of all) {
    expect(attempts.length).toBeLessThanOrEqual(4);
    expect(attempts.every(({ ok }) => ok !== null)).toBe(true);
    expect(attempts.at(-1)).toMatchObject({ ok: state === 'delivered', nextAttemptAt: null });
  }
  const sent = new Map<string, number[]>();
  for (const { headers } of received) {
    const id = headers['x-svc-delivery'] as string;
    sent.set(id, [...(sent.get(id) ?? []), Number(headers['x-svc-attempt'])]);
  }
  expect([...sent.keys()].toSorted()).toEqual(ids.toSorted());
  // Each attempt went out once.
  for (const [id, attempts] of sent) {
    expect([id, attempts]).toEqual([id, attempts.map((_, at) => at + 1)]);
  }
  expect(all.filter(({ state }) => state === 'delivered').length).toBeGreaterThan(ids.length / 2);
}, 900_000);
