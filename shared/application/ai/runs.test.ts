import { analyzeLog, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { borrowDatabase } from '@svc/adapters/testing/test-database.ts';
import { addAdmin, openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor, AiKind } from '@svc/domain';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listNotifications } from '../discussions/list-notifications.ts';
import { removeJob } from '../jobs/remove-job.ts';
import { drainHappenings } from '../happenings/drain-happenings.ts';
import { handleTask } from '../work/handle-task.ts';
import type { Ports } from '../ports/ports.ts';
import { changeAiProvider, createAiProvider, deleteAiProvider, duplicateAiProvider } from './change-providers.ts';
import { followJobAiRun } from './follow-run.ts';
import { getCaseAiFacts } from './get-facts.ts';
import { listCaseAiRuns, listJobAiRuns } from './list-runs.ts';
import { startCaseAiRun, startJobAiRun } from './start-run.ts';
import { cancelJobAiRun, deleteJobAiRuns } from './stop-run.ts';
import { testAiProvider } from './test-provider.ts';

type Account = Extract<Actor, { kind: 'account' }>;
const { database: borrowed, giveBack } = await borrowDatabase();
const test = await openTestPorts({ database: borrowed });
const database = (statement: string) => borrowed.orm.execute(statement);
let ports: Ports;
let boss: Account;
let ann: Account;
let job: number;

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}
const asked: Asked[] = [];
/** What of the connections to the provider has closed. */
let closed = 0;
let answer: (response: ServerResponse, request: IncomingMessage) => unknown;
const vendor = createServer((request, response) => {
  response.on('close', () => (closed += 1));
  const take = async (): Promise<void> => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    asked.push({ path: request.url ?? '', headers: request.headers, body });
    await answer(response, request);
  };
  take().catch(() => response.destroy());
});
let base: string;

beforeAll(async () => {
  await once(vendor.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await test.close();
  await giveBack();
});
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
  boss = await addAdmin(ports);
  ann = await member('ann');
  await ports.settings.change({ showAiAnalysis: true, showAiPrompt: true });
  job = await analyzeLog(ports, ann);
  asked.length = 0;
  closed = 0;
  answer = (response) => says(response, 'Malice, ', 'surely.');
});

async function member(name: string): Promise<Account> {
  const email = `${name}@example.org`;
  const { id } = await ports.accounts.create({ email, passwordHash: 'x', role: 'member', displayName: name });
  return { kind: 'account', userId: id, email, role: 'member', ip: '192.0.2.3' };
}

async function digestOf(jobId: number): Promise<string> {
  return (await ports.jobs.get(jobId))!.file.sha256;
}

const usage = { prompt_tokens: 12, completion_tokens: 3 };
const delta = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`;
const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

function says(response: ServerResponse, ...words: readonly string[]): void {
  stream(response);
  for (const word of words) response.write(delta(word));
  response.write(delta('', 'stop'));
  response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

let named = 0;
function provider(
  over: { kind?: AiKind; api_token?: string; timeout_seconds?: number; max_output_tokens?: number } = {},
) {
  named += 1;
  const limits = { temperature: 0.2, max_output_tokens: 20_000, timeout_seconds: 30 };
  const open = {
    job_max_prompt_chars: null,
    case_max_prompt_chars: null,
    system_prompt: null,
    case_system_prompt: null,
  };
  return createAiProvider(ports, boss, {
    name: `model ${named}`,
    kind: 'openai',
    base_url: base,
    model: 'm-1',
    api_token: 't0ken-of-the-vendor',
    pseudonyms: false,
    notes: '',
    enabled: true,
    is_default: false,
    ...limits,
    ...open,
    ...over,
  });
}

const never = new AbortController().signal;

/** Does the next run as a worker does; false when none waits. */
async function work(leave: AbortSignal = never): Promise<boolean> {
  const lease = await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['ai'] });
  if (lease === null) return false;
  await handleTask(ports, lease, { leave });
  return true;
}

async function start(over: Parameters<typeof provider>[0] = {}, by: Actor = ann): Promise<number> {
  const { id } = await provider(over);
  return (await startJobAiRun(ports, by, { id: job, provider_id: id })).analysis_id;
}

const shown = async (id: number, viewer: Actor = boss) =>
  (await listJobAiRuns(ports, viewer, { id: job, analysis_id: id })).selected!;

async function ran(over: Parameters<typeof provider>[0] = {}) {
  const id = await start(over);
  expect(await work()).toBe(true);
  return shown(id);
}

describe('a run', () => {
  it('asks as OpenAI does, and keeps answer, tokens, log and what was sent', async () => {
    const run = await ran();
    expect(run).toMatchObject({ status: 'completed', content: 'Malice, surely.', error_message: null });
    expect(run).toMatchObject({ input_tokens: 12, output_tokens: 3, model: 'm-1', stalled: false });
    expect(asked).toHaveLength(1);
    const [{ path, headers, body }] = asked as [Asked];
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer t0ken-of-the-vendor']);
    const { messages, ...rest } = body as { messages: { role: string; content: string }[] };
    expect(rest).toEqual({
      model: 'm-1',
      temperature: 0.2,
      max_tokens: 20_000,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(run.prompt).toEqual({ system: messages[0]!.content, user: messages[1]!.content });
    expect(run.prompt_chars).toBe(messages.reduce((sum, { content }) => sum + content.length, 0));
    expect(run.log_output).toMatch(
      /Brief: \d+ characters[^]*\/v1\/chat\/completions[^]*First text after[^]*Ended after/,
    );
    expect(run.log_output).not.toContain('t0ken');
  });

  it('asks as Anthropic does, and reads its events', async () => {
    answer = (response) => {
      stream(response);
      const send = (data: object) => response.write(`event: x\ndata: ${JSON.stringify(data)}\n\n`);
      send({ type: 'message_start', message: { usage: { input_tokens: 40, output_tokens: 1 } } });
      response.write(': keep-alive\n\n');
      send({ type: 'ping' });
      for (const part of ['Ver', 'dict'])
        send({ type: 'content_block_delta', delta: { type: 'text_delta', text: part } });
      send({ type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{' } });
      send({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } });
      // The connection stays open: nothing is waited for any more.
      send({ type: 'message_stop' });
    };
    const run = await ran({ kind: 'anthropic' });
    expect(run).toMatchObject({ status: 'completed', content: 'Verdict', input_tokens: 40, output_tokens: 9 });
    const [{ path, headers, body }] = asked as [Asked];
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({ 'x-api-key': 't0ken-of-the-vendor', 'anthropic-version': '2023-06-01' });
    expect(headers.authorization).toBeUndefined();
    expect(body).toMatchObject({ system: run.prompt!.system, messages: [{ role: 'user', content: run.prompt!.user }] });
  });

  it('reads an answer without frames as one JSON reply', async () => {
    answer = (response) => {
      const choices = [{ message: { content: 'All of it' }, finish_reason: 'stop' }];
      response.writeHead(200).end(JSON.stringify({ choices, usage }, null, 2));
    };
    expect(await ran()).toMatchObject({ status: 'completed', content: 'All of it', output_tokens: 3 });
    answer = (response) =>
      response.writeHead(200).end(JSON.stringify({ content: [{ text: 'So' }], stop_reason: 'end_turn' }));
    expect(await ran({ kind: 'anthropic' })).toMatchObject({ status: 'completed', content: 'So' });
  });

  it('sends no token where there is none, and never shows one', async () => {
    const run = await ran({ api_token: '' });
    expect(run.status).toBe('completed');
    expect(asked[0]!.headers.authorization).toBeUndefined();
  });
});

/** What a provider does wrong, and what then stands at the run. */
const wrongs: readonly (readonly [
  what: string,
  does: (response: ServerResponse) => unknown,
  error: RegExp,
  content?: string,
])[] = [
  [
    'refuses',
    (r) => r.writeHead(401).end('{"error":{"message":"bad key t0ken-of-the-vendor"}}'),
    /answered 401: bad key …$/,
  ],
  ['fails without a word', (r) => r.writeHead(500).end('<html>'), /answered 500$/],
  [
    'redirects',
    (r) => r.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    /answered 307: redirects are not/,
  ],
  ['is no model', (r) => r.writeHead(200).end('<html>hello</html>'), /neither a stream nor JSON/],
  ['answers another JSON', (r) => r.writeHead(200).end('{"hello":1}'), /nothing that is an answer/],
  [
    'errs in mid-stream',
    (r) => stream(r).end(`${delta('So far')}data: {"error":{"message":"overloaded\\n${'x'.repeat(400)}"}}\n\n`),
    /^The provider reported an error: overloaded x{289}$/,
    'So far',
  ],
  ['breaks off', (r) => stream(r).end(delta('So far')), /before it was complete/, 'So far'],
  ['hangs up', (r) => stream(r).write(delta('So far'), () => r.destroy()), /No answer from 127.0.0.1/, 'So far'],
  ['says nothing', (r) => stream(r).end(`${delta('', 'stop')}data: [DONE]\n\n`), /with no text/],
  ['thinks too long', (r) => stream(r).end(`${delta('', 'length')}data: [DONE]\n\n`), /raise the max output tokens/],
  ['sends a giant frame', (r) => stream(r).end(`data: ${'x'.repeat(1_200_000)}\n\n`), /more than 1048576 bytes/],
  ['is compressed', (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end('x'), /compressed/],
];

describe('a provider that', () => {
  const cases = wrongs.map(([what, does, error, content = '']) => ({ what, does, error, content }));
  it.each(cases)('$what ends the run as failed', async ({ does, error, content }) => {
    answer = does;
    const run = await ran();
    expect(run).toMatchObject({ status: 'failed', content });
    expect(run.error_message).toMatch(error);
    expect(run.log_output).toContain('Failed after');
    // Nothing is tried again.
    expect(await work()).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it('is no host at all ends it, too', async () => {
    const { id } = await provider();
    await changeAiProvider(ports, boss, { id, base_url: 'http://nowhere.invalid/v1' });
    const { analysis_id: run } = await startJobAiRun(ports, ann, { id: job, provider_id: id });
    await work();
    expect((await shown(run)).error_message).toMatch(/nowhere\.invalid has no address/);
  });

  it('drips without end is left at the wall clock', async () => {
    answer = async (response) => {
      stream(response);
      while (!response.destroyed) {
        response.write(': \n\n');
        await sleep(20);
      }
    };
    const run = await ran({ timeout_seconds: 1 });
    expect([run.status, run.error_message]).toEqual(['failed', '127.0.0.1 did not answer within 1 s']);
    await vi.waitUntil(() => closed === 1);
  });

  it('counts wrongly, or writes what is no UTF-8, is not believed', async () => {
    answer = (response) => {
      stream(response);
      response.write(
        Buffer.concat([Buffer.from('data: {"choices":[{"delta":{"content":"a'), Buffer.from([0xff, 0xc3])]),
      );
      response.write('b\\u0000\\ud800"}}]}\n\n');
      const wrong = { prompt_tokens: -4, completion_tokens: '9e99' };
      response.end(`data: ${JSON.stringify({ choices: [], usage: wrong })}\n\n${delta('', 'stop')}data: [DONE]\n\n`);
    };
    const run = await ran();
    expect(run).toMatchObject({ status: 'completed', input_tokens: null, output_tokens: null });
    expect(run.content).toBe('a\uFFFD\uFFFDb\uFFFD\uFFFD');
  });

  it('is cut at its limit says so', async () => {
    answer = (response) => stream(response).end(`${delta('Half', 'length')}data: [DONE]\n\n`);
    const run = await ran();
    expect([run.status, run.content]).toEqual(['completed', 'Half']);
    expect(run.error_message).toMatch(/max output tokens/);
  });
});

describe('stopping', () => {
  it('a run that waits ends it at once, and nobody is asked', async () => {
    const id = await start();
    expect((await cancelJobAiRun(ports, ann, { id: job, rid: id })).status).toBe('cancelled');
    expect(await work()).toBe(false);
    expect(asked).toEqual([]);
  });

  it.each([
    ['that writes', true],
    ['that is silent', false],
  ])('a run %s closes its connection, and keeps nothing', async (_, writes) => {
    answer = async (response) => {
      stream(response).write(delta('So far'));
      while (writes && !response.destroyed) {
        response.write(delta('.'));
        await sleep(10);
      }
    };
    const id = await start();
    const working = work();
    await vi.waitUntil(async () => (await shown(id)).content.length > 0, { timeout: 60_000 });
    const stoppedAt = performance.now();
    expect((await cancelJobAiRun(ports, ann, { id: job, rid: id })).status).toBe('running');
    await vi.waitUntil(() => closed === 1, { timeout: 60_000, interval: 5 });
    expect(performance.now() - stoppedAt).toBeLessThan(20_000);
    await working;
    expect(await shown(id)).toMatchObject({ status: 'cancelled', content: '', error_message: null });
    expect((await shown(id)).log_output).toContain('Stopped after');
  });

  it('is for who started it and administrators', async () => {
    const [id, bob] = [await start(), await member('bob')];
    await expect(cancelJobAiRun(ports, bob, { id: job, rid: id })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(deleteJobAiRuns(ports, ann, { id: job, analysis_ids: [id] })).rejects.toMatchObject({
      code: 'conflict',
    });
    await cancelJobAiRun(ports, boss, { id: job, rid: id });
    await expect(cancelJobAiRun(ports, boss, { id: job, rid: id })).rejects.toMatchObject({ code: 'conflict' });
    await expect(deleteJobAiRuns(ports, bob, { id: job, analysis_ids: [id] })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await deleteJobAiRuns(ports, ann, { id: job, analysis_ids: [id, 999_999] })).toEqual({ deleted: 1 });
  });

  it('closes off a run whose worker is gone, and its task comes to nothing afterwards', async () => {
    const id = await start();
    const lease = await ports.tasks.receive({ worker: 'dead', waitMs: 0, lanes: ['ai'] });
    await ports.aiRuns.begin(id, ports.clock.now());
    test.advance(130);
    expect((await listJobAiRuns(ports, ann, { id: job })).stalled).toBe(true);
    // What comes again does not run again.
    await handleTask(ports, lease!, { leave: never });
    expect([asked.length, (await shown(id)).status]).toEqual([0, 'running']);
    expect((await cancelJobAiRun(ports, ann, { id: job, rid: id })).status).toBe('cancelled');
  });

  it('and dying before the model is asked leaves no run that cannot be closed off, and asks nobody twice', async () => {
    const calls = ['begin', 'sending'] as const;
    for (const at of calls) {
      asked.length = 0;
      const id = await start();
      const dead = new Error('the process is gone');
      // From that call on nothing of this process gets through.
      let isDead = false;
      const mortal = <T extends object>(port: T): T =>
        new Proxy(port, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name, target);
            if (typeof value !== 'function') return value;
            return async (...args: unknown[]): Promise<unknown> => {
              if (isDead) return Promise.reject(dead);
              const result: unknown = await value.apply(target, args);
              isDead ||= name === at;
              return isDead ? Promise.reject(dead) : result;
            };
          },
        });
      const aiRuns = mortal(ports.aiRuns);
      const transaction: Ports['transaction'] = (does) =>
        isDead
          ? Promise.reject(dead)
          : ports.transaction((tx) =>
              does(
                new Proxy(tx, {
                  get: (of, name: keyof typeof tx) => (name === 'aiRuns' ? mortal(of[name]) : of[name]),
                }),
              ),
            );
      const lease = (await ports.tasks.receive({ worker: 'w', waitMs: 0, lanes: ['ai'] }))!;
      await handleTask({ ...ports, aiRuns, transaction, tasks: mortal(ports.tasks) }, lease, { leave: never }).catch(
        () => undefined,
      );
      const before = asked.length;
      await handleTask(ports, lease, { leave: never });
      expect([at, asked.length]).toEqual([at, before]);
      test.advance(200);
      const run = await shown(id);
      if (run.status === 'running') await cancelJobAiRun(ports, ann, { id: job, rid: id });
      expect([at, (await shown(id)).status]).toEqual([at, 'cancelled']);
    }
  });

  it('of the worker itself ends the run as failed', async () => {
    answer = (response) => void stream(response).write(delta('So far'));
    const id = await start();
    const leave = new AbortController();
    const working = work(leave.signal);
    await vi.waitUntil(async () => (await shown(id)).content !== '', { timeout: 60_000 });
    const { WorkerStopping } = await import('../work/hold-lease.ts');
    leave.abort(new WorkerStopping('the worker is stopping'));
    await working;
    expect(await shown(id)).toMatchObject({ status: 'failed', content: 'So far' });
  });
});

describe('starting', () => {
  const refused = async (code: string, by: Actor = ann, id = job, providerId?: number) => {
    const provider_id = providerId ?? (await provider()).id;
    await expect(startJobAiRun(ports, by, { id, provider_id })).rejects.toMatchObject({ code });
  };

  it('is refused by the job, the switch, the provider and the limit, in this order', async () => {
    Object.assign(ports.deployment, { ai: { ...ports.deployment.ai, perMinute: 1 } });
    const waiting = await submitLog(ports, ann, { content: 'ElfFile\0waits' });
    await refused('not_found', ann, 999_999);
    await refused('not_analysable', ann, waiting);
    await ports.settings.change({ showAiAnalysis: false });
    await refused('not_analysable', ann, waiting);
    await refused('feature_off', ann, job, 999_999);
    await ports.settings.change({ showAiAnalysis: true });
    await refused('bad_request', ann, job, 999_999);
    // None of these has counted.
    await start();
    await refused('bad_request', ann, job, 999_999);
    await refused('rate_limited');
    Object.assign(ports.deployment, { ai: { ...ports.deployment.ai, perMinute: 0 } });
  });

  it('ends where the tokens of a day do', async () => {
    const before = ports.deployment.ai;
    Object.assign(ports.deployment, { ai: { ...before, tokensPerUserPerDay: 15 } });
    await ran();
    await refused('ai_budget');
    const bob = await member('bob');
    await start({}, bob);
    Object.assign(ports.deployment, { ai: { ...before, tokensPerDay: 15 } });
    await refused('ai_budget', bob);
    test.advance(86_500);
    await start({}, bob);
    Object.assign(ports.deployment, { ai: before });
  });

  it('comes to nothing where it is switched off meanwhile, and stays where it waited too long', async () => {
    const id = await start();
    await ports.settings.change({ showAiAnalysis: false });
    await work();
    expect(await shown(id)).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/switched off/) as string,
    });
    await ports.settings.change({ showAiAnalysis: true });
    const late = await start();
    test.advance(ports.deployment.queueExpirySeconds + 130);
    await work();
    expect(await shown(late)).toMatchObject({ status: 'pending', stalled: true });
    expect(asked).toEqual([]);
  });

  it('ends as failed what cannot be queued', async () => {
    const { id } = await provider();
    const tasks = { ...ports.tasks, enqueue: () => Promise.reject(new Error('away')) };
    await expect(startJobAiRun({ ...ports, tasks }, ann, { id: job, provider_id: id })).rejects.toMatchObject({
      code: 'queue_unreachable',
    });
    expect((await listJobAiRuns(ports, ann, { id: job })).selected).toMatchObject({ status: 'failed' });
  });
});

describe('what was asked', () => {
  it('is shown to who started it and administrators, and the log to these alone', async () => {
    const id = await start();
    await work();
    const bob = await member('bob');
    const visitor: Actor = { kind: 'anonymous', ip: '' };
    const sees = async (viewer: Actor) => {
      const { prompt, log_output: log, content } = await shown(id, viewer);
      return [prompt !== null, log !== null, content];
    };
    expect(await sees(boss)).toEqual([true, true, 'Malice, surely.']);
    expect(await sees(ann)).toEqual([true, false, 'Malice, surely.']);
    for (const other of [bob, visitor]) expect(await sees(other)).toEqual([false, false, 'Malice, surely.']);
    await ports.settings.change({ showAiPrompt: false });
    expect(await sees(boss)).toEqual([false, true, 'Malice, surely.']);
    const unkept = await ran();
    await ports.settings.change({ showAiPrompt: true });
    expect((await shown(unkept.id)).prompt).toBeNull();
  });

  it('is offered to members alone', async () => {
    await provider();
    const { providers, can_run: can, can_run_now: now } = await listJobAiRuns(ports, ann, { id: job });
    expect([providers.length, can, now]).toEqual([1, true, true]);
    const visitor = await listJobAiRuns(ports, { kind: 'anonymous', ip: '' }, { id: job });
    expect([visitor.providers, visitor.can_run]).toEqual([[], false]);
  });

  it('is told to those who watch the job, and to who started it', async () => {
    const bob = await member('bob');
    for (const { userId } of [ann, bob]) await ports.watches.begin(userId, job, ports.clock.now());
    const ended = await ran();
    answer = (response) => response.writeHead(500).end();
    const failed = await ran();
    const stopped = await start();
    await cancelJobAiRun(ports, ann, { id: job, rid: stopped });
    await drainHappenings(ports);
    for (const who of [ann, bob]) {
      const told = await ports.watchEvents.newest(who, 10);
      expect(told.map(({ event }) => [event!.kind, event!.summary.replace(/model \d+/, 'M')])).toEqual([
        ['ai', 'The AI analysis by M has failed'],
        ['ai', 'The AI analysis by M has ended'],
      ]);
      const { items } = await listNotifications(ports, who);
      expect(items.map(({ run_id: run }) => run)).toEqual([failed.id, ended.id]);
    }
  });
});

describe('a run over a case', () => {
  it('is read by who sees all its jobs, and says when one was deleted', async () => {
    const other = await analyzeLog(ports, ann, { content: 'ElfFile\0other' });
    const bob = await member('bob');
    const at = ports.clock.now();
    const caseId = await ports.transaction(async (tx) => {
      const { id } = await tx.cases.create({ name: 'Phish', ownerId: ann.userId, isShared: true, at });
      for (const jobId of [job, other]) await tx.cases.link(id, { jobId, by: ann.userId, at });
      return id;
    });
    const { id: providerId } = await provider();
    const digests = [await digestOf(job), await digestOf(other)];
    answer = (response) => says(response, `Malice, surely: ${digests.join(' and ')}, unlike 203.0.113.77.`);
    const { analysis_id: run } = await startCaseAiRun(ports, ann, { id: caseId, provider_id: providerId });
    await work();
    /** What of the answer is in evidence for somebody, and whether all of it could be looked at. */
    const factsFor = async (viewer: Actor) => {
      const { facts, complete } = await getCaseAiFacts(ports, viewer, { id: caseId, rid: run });
      return [facts.filter((fact) => fact.in_evidence).map(({ value }) => value), complete];
    };
    expect(await factsFor(bob)).toEqual([digests, true]);
    const seenBy = async (viewer: Actor) =>
      (await listCaseAiRuns(ports, viewer, { id: caseId })).runs.map(({ id }) => id);
    expect((await listCaseAiRuns(ports, bob, { id: caseId })).selected).toMatchObject({
      source_jobs: [job, other],
      source_deleted_at: null,
    });
    await database(`update jobs set is_private = true where id = ${other}`);
    expect([await seenBy(bob), await seenBy(ann), await seenBy(boss)]).toEqual([[], [run], [run]]);
    await expect(factsFor(bob)).rejects.toMatchObject({ code: 'not_found' });
    await removeJob(ports, other, { by: boss.userId, at });
    expect([await seenBy(ann), await seenBy(boss)]).toEqual([[], [run]]);
    expect(await factsFor(boss)).toEqual([[digests[0]], false]);
    const { selected } = await listCaseAiRuns(ports, boss, { id: caseId });
    expect([selected!.source_jobs, selected!.source_deleted_at]).toEqual([[job, other], at.toISOString()]);
    // Ids are never used twice.
    await ports.aiRuns.remove([run]);
    expect(await start()).toBeGreaterThan(run);
  });
});

/** What a browser that follows a run has at the end, which loses its connection again and again. */
async function followed(id: number, viewer: Actor, lose: () => boolean): Promise<string> {
  let textSoFar = '';
  let lastEventId: string | undefined;
  for (;;) {
    const content = await followJobAiRun(ports, viewer, { id: job, rid: id, lastEventId });
    for await (const bytes of content) {
      const lines = new Map(
        Buffer.from(bytes)
          .toString()
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
      );
      if (lines.get('event') === 'text') {
        const { start: from, text: piece } = JSON.parse(lines.get('data')!) as { start: number; text: string };
        textSoFar = textSoFar.slice(0, from) + piece;
        lastEventId = lines.get('id');
      }
      if (lines.get('event') === 'done') return textSoFar;
      if (lose()) break;
    }
  }
}

describe('following', () => {
  it('a hundred browsers that lose their connections at random end with the stored text', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `word${at} ü😀 `);
    answer = async (response) => {
      stream(response);
      for (const word of words) {
        response.write(delta(word));
        await sleep(3);
      }
      response.end(`${delta('', 'stop')}data: [DONE]\n\n`);
    };
    const id = await start();
    let state = 7;
    const lose = (): boolean => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648 < 0.5;
    };
    const following = Array.from({ length: 100 }, () => followed(id, ann, lose));
    await work();
    const stored = (await shown(id)).content;
    expect(stored).toBe(words.join(''));
    const ends = await Promise.all(following);
    expect(new Set(ends)).toEqual(new Set([stored]));
    // Who comes afterwards has it, too.
    expect(await followed(id, ann, () => false)).toBe(stored);
  }, 300_000);

  it('is for who sees the job', async () => {
    const hidden = await analyzeLog(ports, ann, { content: 'ElfFile\0hidden', is_private: true });
    const { id } = await provider();
    const { analysis_id: rid } = await startJobAiRun(ports, ann, { id: hidden, provider_id: id });
    const bob = await member('bob');
    await expect(followJobAiRun(ports, bob, { id: hidden, rid })).rejects.toMatchObject({ code: 'not_found' });
    await expect(followJobAiRun(ports, ann, { id: job, rid })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('providers', () => {
  it('lose the path of their kind, and have one default and copies with a token of their own', async () => {
    const made = await provider();
    const pasted = await changeAiProvider(ports, boss, { id: made.id, name: 'Local' });
    expect(pasted).toMatchObject({ base_url: base, has_token: true });
    const [copy, again] = [
      await duplicateAiProvider(ports, boss, { id: made.id }),
      await duplicateAiProvider(ports, boss, { id: made.id }),
    ];
    expect([copy.name, again.name, copy.has_token, copy.is_default]).toEqual([
      'Local (copy)',
      'Local (copy 2)',
      true,
      false,
    ]);
    await expect(changeAiProvider(ports, boss, { id: copy.id, name: 'LOCAL' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await testAiProvider(ports, boss, { id: copy.id })).toMatchObject({ ok: true, text: 'Malice, surely.' });
    expect(asked[0]!.headers.authorization).toBe('Bearer t0ken-of-the-vendor');
  });

  it('leave their runs when they go', async () => {
    const run = await ran();
    await deleteAiProvider(ports, boss, { id: run.provider_id! });
    expect(await shown(run.id)).toMatchObject({
      provider_id: null,
      provider_name: run.provider_name,
      content: run.content,
    });
  });

  it.each(['http://169.254.169.254/v1', 'https://user:secret@models.example/v1', 'ftp://models.example/'])(
    'are not at %s',
    async (address) => {
      const { id } = await provider();
      await expect(changeAiProvider(ports, boss, { id, base_url: address })).rejects.toMatchObject({
        code: 'bad_request',
      });
    },
  );
});
