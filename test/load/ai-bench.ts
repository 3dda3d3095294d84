// What runs of AI analysis take while a provider does everything wrong: memory of the built server, how soon a stop
// reaches the provider, and what a hundred who follow one run cost.
//   [--rounds N] [--followers N]
import type { AiRun, AiRuns, JobStates, SubmittedJob } from '@svc/contracts';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { startServer, type Server } from '../support/server.ts';
import { formAround, formType, quantile, send } from './http-client.ts';
import { processorSeconds } from './processor-seconds.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, followers: { type: 'string', default: '100' } },
});
const [rounds, followers] = [Number(values.rounds), Number(values.followers)];
/** As many as the lane of a process takes. */
const atOnce = 4;
const timeoutSeconds = 6;
/** Megabytes by which the last round may be above the first, and seconds until a stop is at the provider. */
const [mostGrowth, mostSeconds] = [32, 2];
const admin = { email: 'bench@localhost', password: 'a-password-of-this-benchmark' };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const delta = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`;
const done = `${delta('', 'stop')}data: [DONE]\n\n`;
const words = 'The account ran an encoded command on two hosts. '.repeat(20);

/** Writes again and again, as fast as it is read, until nobody reads any more. */
async function pour(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  const closed = once(response, 'close');
  while (!response.destroyed) if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
}

async function drip(response: ServerResponse, piece: string | Uint8Array, everyMs: number): Promise<void> {
  while (!response.destroyed) {
    response.write(piece);
    await sleep(everyMs);
  }
}

const wrongUsage = { prompt_tokens: -4, completion_tokens: '9e99', total_tokens: [1e308] };
const behaviours: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'answers in order': (r) => {
    for (let at = 0; at < 40; at += 1) r.write(delta(words));
    r.end(done);
  },
  'writes without end': (r) => pour(r, delta(words)),
  'writes without end, a character a frame': (r) => pour(r, delta('a').repeat(100)),
  'sends one giant frame': (r) => {
    r.write('data: ');
    return pour(r, 'x'.repeat(65_536));
  },
  'sends comments without end': (r) => pour(r, ': keep-alive\n\n'.repeat(1000)),
  'sends frames of nothing without end': (r) => pour(r, 'data: {}\n\n'.repeat(1000)),
  'sends deep JSON': (r) => pour(r, `data: ${'['.repeat(60_000)}\n\n`),
  'sends what is no stream, without end': (r) => pour(r, '<p>hello</p>'.repeat(1000)),
  'sends what is no UTF-8, without end': (r) =>
    pour(r, Buffer.concat([Buffer.from('data: '), Buffer.alloc(4096, 0xff), Buffer.from('\n\n')])),
  drips: (r) => drip(r, delta('a '), 50),
  'drips comments': (r) => drip(r, ': \n\n', 50),
  'drips half a frame': (r) => {
    r.write('data: {"choices":[{"delta":{"content":"');
    return drip(r, 'a', 20);
  },
  'is silent': (r) => r.flushHeaders(),
  'errs in mid-stream': (r) => r.end(`${delta(words)}data: {"error":{"message":"${'overloaded '.repeat(9000)}"}}\n\n`),
  'hangs up in mid-stream': (r) => r.write(delta(words), () => r.destroy()),
  'counts wrongly': (r) =>
    r.end(`${delta(words)}data: ${JSON.stringify({ choices: [], usage: wrongUsage })}\n\n${done}`),
};
/** Those that only a stop or the wall clock ends. */
const endless = ['drips', 'drips comments', 'drips half a frame', 'is silent'];

let behaviour: (response: ServerResponse) => unknown = () => undefined;
let closedAt = 0;
async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('close', () => (closedAt = performance.now()));
  response.on('error', () => undefined);
  await text(asked);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await behaviour(response);
}
const vendor = createServer((asked, response) => void answer(asked, response).catch(() => response.destroy()));
await once(vendor.listen(0, '127.0.0.1'), 'listening');
const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;

const postgres = await startPostgres();
const server = await startServer({
  env: {
    DATABASE_URL: postgres.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    API_RATE_LIMIT_PER_MINUTE: '0',
    AI_RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'ERROR',
  },
});
try {
  if (!(await bench(server))) process.exitCode = 1;
} finally {
  await server.stop();
  await server.remove();
  await postgres.remove();
  vendor.closeAllConnections();
  vendor.close();
}
process.exit();

async function bench({ url, pid }: Server): Promise<boolean> {
  const cookie = await signedIn(url);
  const post = async <T>(path: string, fields: object): Promise<T> => {
    const content = Buffer.from(JSON.stringify(fields));
    const headers = { 'content-type': 'application/json', origin: url, cookie };
    const { status, body } = await send(url + path, { method: 'POST', headers, content });
    if (status > 299) throw new Error(`${path} was answered ${status}: ${body}`);
    return JSON.parse(body) as T;
  };
  const get = async <T>(path: string): Promise<T> =>
    JSON.parse((await send(url + path, { headers: { cookie } })).body) as T;
  await post('/admin/settings', { show_ai_analysis: true });
  const fields = { name: 'Hostile', kind: 'openai', base_url, model: 'm', timeout_seconds: timeoutSeconds };
  const { id: provider_id } = await post<{ id: number }>('/admin/ai', fields);
  const job = await analysed(url, cookie);
  const start = async (): Promise<number> =>
    (await post<{ analysis_id: number }>(`/jobs/${job}/ai-analysis`, { provider_id })).analysis_id;
  const shown = async (run: number): Promise<AiRun> =>
    (await get<AiRuns>(`/jobs/${job}/ai-analysis?analysis_id=${run}`)).selected!;
  const ended = async (run: number): Promise<AiRun> => {
    for (;;) {
      const now = await shown(run);
      if (now.status !== 'pending' && now.status !== 'running') return now;
      await sleep(200);
    }
  };

  // What the first runs load and compile stays.
  behaviour = behaviours['answers in order']!;
  for (let at = 0; at < 3; at += 1) await Promise.all(Array.from({ length: atOnce }, async () => ended(await start())));
  let isWell = true;
  print(`${atOnce} runs at once; MB resident at the beginning: ${mb(residentMb(pid))}; in ${rounds} rounds at most:`);
  const peaks: number[] = Array.from({ length: rounds }, () => 0);
  const rows = new Map<string, { readonly most: number[]; how: string }>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, does] of Object.entries(behaviours)) {
      behaviour = does;
      resetPeak(pid);
      const runs = await Promise.all(Array.from({ length: atOnce }, () => start()));
      const [last] = await Promise.all(runs.map(ended));
      const peak = peakMb(pid);
      peaks[round] = Math.max(peaks[round]!, peak);
      const row = rows.get(name) ?? { most: [], how: '' };
      row.most.push(peak);
      row.how = [last?.status, last?.error_message?.slice(0, 80)].filter(Boolean).join(': ');
      rows.set(name, row);
    }
  }
  for (const [name, { most, how }] of rows) print(`  ${name.padEnd(42)} ${most.map(mb).join(' ')}  ${how}`);
  const growth = peaks.at(-1)! - peaks[0]!;
  isWell &&= growth <= mostGrowth;
  print(`  ${'at most'.padEnd(42)} ${peaks.map(mb).join(' ')}  ${growth <= mostGrowth ? '✓' : '✗'}`);

  print('stopped: s until the provider’s connection is closed (p50, at most)');
  for (const name of endless) {
    behaviour = behaviours[name]!;
    const took: number[] = [];
    for (let round = 0; round < rounds * atOnce; round += 1) {
      const run = await start();
      while ((await shown(run)).status !== 'running') await sleep(50);
      await sleep(100 * round);
      closedAt = 0;
      const from = performance.now();
      await post(`/jobs/${job}/ai-analysis/${run}/cancel`, {});
      while (closedAt === 0) await sleep(5);
      took.push((closedAt - from) / 1000);
      await ended(run);
    }
    const most = Math.max(...took);
    isWell &&= most <= mostSeconds;
    print(
      `  ${name.padEnd(42)} ${quantile(took, 0.5).toFixed(2)} ${most.toFixed(2)} ${most <= mostSeconds ? '✓' : '✗'}`,
    );
  }

  // An answer of 40 s would outlast the provider's time.
  behaviour = async (response) => {
    for (let at = 0; at < 800 && !response.destroyed; at += 1) {
      response.write(delta(`word${at} ü😀 `));
      await sleep(8);
    }
    response.end(done);
  };
  for (const many of [0, followers]) {
    const before = residentMb(pid);
    resetPeak(pid);
    const cpu = processorSeconds(pid);
    const run = await start();
    const following = Array.from({ length: many }, () =>
      followed(`${url}/jobs/${job}/ai-analysis/${run}/stream`, cookie),
    );
    const { content, duration_ms: ms } = await ended(run);
    const texts = await Promise.all(following);
    const wrong = texts.filter((one) => one !== content).length;
    isWell &&= wrong === 0;
    print(
      `a run of ${((ms ?? 0) / 1000).toFixed(0)} s with ${many} followers: ${mb(peakMb(pid) - before)} MB more at most, ` +
        `${(processorSeconds(pid) - cpu).toFixed(2)} s of the server’s processor time, ${wrong} with another text than is stored`,
    );
  }
  return isWell;
}

async function signedIn(url: string): Promise<string> {
  const content = Buffer.from(String(new URLSearchParams({ username: admin.email, password: admin.password })));
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url };
  const { cookie, status, body } = await send(`${url}/auth/cookie/login`, { method: 'POST', headers, content });
  if (cookie === undefined) throw new Error(`signing in was answered ${status}: ${body}`);
  return cookie;
}

/** A job with findings, whose analysis has ended. */
async function analysed(url: string, cookie: string): Promise<number> {
  const log = readFileSync(join(projectRoot(), 'config/samples/intrusion-powershell.evtx'));
  const [head, tail] = formAround({ workflow_id: 1 }, 'powershell.evtx');
  const headers = { 'content-type': formType, origin: url, cookie };
  const sent = await send(`${url}/upload`, { method: 'POST', headers, content: Buffer.concat([head, log, tail]) });
  const { job_id: id } = JSON.parse(sent.body) as SubmittedJob;
  for (;;) {
    const { jobs } = JSON.parse(
      (await send(`${url}/api/v1/jobs?ids=${id}`, { headers: { cookie } })).body,
    ) as JobStates;
    if (jobs[0]?.status === 'completed') return id;
    await sleep(200);
  }
}

/** What a browser has at the end that loses its connection at random, and comes again with where it was. */
async function followed(url: string, cookie: string): Promise<string> {
  let known = '';
  let lastId: string | undefined;
  for (;;) {
    const headers = { cookie, accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) };
    const asked = request(url, { agent: false, headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const leaveAt = performance.now() + Math.random() * 4000;
    let rest = '';
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      const events = (rest + chunk).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const lines = new Map(
          event
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
        );
        if (lines.get('event') === 'done') return known;
        if (lines.get('event') !== 'text') continue;
        const { start, text: piece } = JSON.parse(lines.get('data')!) as { start: number; text: string };
        known = known.slice(0, start) + piece;
        lastId = lines.get('id');
      }
      if (performance.now() > leaveAt) break;
    }
    asked.destroy();
  }
}

function residentMb(pid: number): number {
  return statusMb(pid, 'VmRSS');
}

/** Since it was reset. */
function peakMb(pid: number): number {
  return statusMb(pid, 'VmHWM');
}

function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMb(pid: number, key: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return (Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(status)?.[1]) * 1024) / 1e6;
}

function mb(value: number): string {
  return value.toFixed(0).padStart(4);
}
