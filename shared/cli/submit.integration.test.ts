import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { EntityRow } from '@svc/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../test/support/programs.ts';
import { startServer, type Server } from '../../test/support/server.ts';
import type { Outcome } from './submission/outcome.ts';
import { svc, svcOn, type Ran } from './testing/svc.ts';
import { startProxy, type UnreliableProxy } from './testing/unreliable-proxy.ts';

const launcher = fileURLToPath(new URL('./bin/svc.mjs', import.meta.url));
const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-submit-'));
const login = { username: 'admin@example.org', password: 'correct horse battery' };
const limits = { API_TOKEN_RATE_LIMIT_PER_MINUTE: '0', AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE: '0' };
/** Soon after a kill the jobs go on. */
const workers = { WORKER_HEARTBEAT_INTERVAL: '1', WORKER_HEARTBEAT_TTL: '3' };
const env = { ADMIN_EMAIL: login.username, ADMIN_PASSWORD: login.password, ...limits, ...workers };

let server: Server;
let proxy: UnreliableProxy;
beforeAll(async () => {
  server = await startServer({ env });
  proxy = await startProxy(server.url);
  process.env['SVC_TOKEN'] = await newToken(['job:submit', 'job:read', 'case:read', 'case:write']);
  process.env['XDG_CONFIG_HOME'] = folder;
});
beforeEach(() => proxy.reset());
afterAll(async () => {
  await proxy.close();
  await server.stop();
  await server.remove();
  rmSync(folder, { recursive: true });
});

async function signedIn(): Promise<Record<string, string>> {
  const answer = await fetch(`${server.url}/auth/cookie/login`, { method: 'POST', body: new URLSearchParams(login) });
  return { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, origin: server.url };
}

async function newToken(scopes: string[]): Promise<string> {
  const headers = { ...(await signedIn()), 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'svc', scopes });
  const answer = await fetch(`${server.url}/admin/api-tokens`, { method: 'POST', headers, body });
  return ((await answer.json()) as { token: string }).token;
}

let made = 0;
/** A log that nobody has submitted yet, in a folder of its own. */
function newLog(name = 'auth.log', lines = 1): string {
  const at = join(folder, `logs-${++made}`);
  mkdirSync(at);
  const line = `Mar  1 10:00:0${made % 10} host-${made} sshd[71]: Accepted publickey for ada from 192.0.2.7 port 22 ssh2\n`;
  writeFileSync(join(at, name), line.repeat(lines));
  return join(at, name);
}

const submit = (...argv: string[]): Promise<Ran> => svc('submit', '--server', proxy.url, ...argv);

async function outcomes(...argv: string[]): Promise<{ code: number; err: string; all: Outcome[] }> {
  const { code, out, err } = await submit(...argv, '--format', 'json');
  return { code, err, all: JSON.parse(out) as Outcome[] };
}

async function jobsNamed(name: string): Promise<number> {
  const answer = await fetch(`${server.url}/jobs?per=100`, { headers: { accept: 'application/json' } });
  const { jobs } = (await answer.json()) as { jobs: { filename: string }[] };
  return jobs.filter(({ filename }) => filename === name).length;
}

const asked = (part: string): number => proxy.seen.filter((name) => name.includes(part)).length;

describe('svc submit', () => {
  it('submits files, waits for them and prints what was found; again it submits nothing', async () => {
    const path = join(folder, 'first.evtx');
    copyFileSync(sample, path);
    const first = await submit(path);
    expect(first).toMatchObject({ code: 0, err: '' });
    const job = /\/jobs\/\d+/.exec(first.out)![0];
    const [, high, medium] = new RegExp(
      String.raw`first\.evtx  completed +0 +([1-9]\d*) +([1-9]\d*) +0 +0  \S+${job}\n`,
    ).exec(first.out)!;
    expect(first.out).toContain(`1 file: 1 completed. Matched events: ${high} high, ${medium} medium.`);
    expect(asked('PUT ')).toBe(1);
    const second = await submit(path);
    expect(second.out).toContain(`${path}  completed, known`);
    expect(second.out).toContain(`${proxy.url}${job}\n`);
    expect(asked('PUT ')).toBe(1);
    expect(await jobsNamed('first.evtx')).toBe(1);
  });

  it('takes folders and patterns, and passes over what is no log', async () => {
    const path = newLog();
    writeFileSync(join(path, '../notes.txt'), 'Dear all,\n');
    const found = await outcomes(join(path, '..'));
    expect(found).toMatchObject({ code: 0, err: 'svc: 1 file passed over: no known log\n' });
    expect(found.all).toEqual([
      {
        file: path,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        size_bytes: statSync(path).size,
        job_id: expect.any(Number),
        job_url: expect.stringContaining(`${proxy.url}/jobs/`),
        case_id: null,
        status: 'completed',
        reused: false,
        total_findings: 0,
        severity_summary: { critical: 0, high: 0, medium: 0, low: 0, informational: 0 },
        error: null,
      },
    ]);
    expect((await submit(join(path, '../*.txt'))).code).toBe(2);
    expect((await outcomes(join(path, '../*.log'))).all).toMatchObject([{ file: path, reused: true }]);
  });

  it('prints where the verdict of several files is, and what it says', async () => {
    const path = join(folder, 'together.evtx');
    copyFileSync(sample, path);
    const both = await submit(path, newLog());
    expect(both).toMatchObject({ code: 0, err: '' });
    const [, batch] = /^ {2}Verdict: (\S+\/batches\/\d+)$/m.exec(both.out)!;
    expect(both.out).toMatch(/^ {2}\d+ rules? matched \d+ times: \d+ high, \d+ medium\.$/m);
    expect(both.out).toMatch(/^ {2}Worst of 1 host: \S+\.$/m);
    expect((await submit(path, newLog(), '--no-wait')).out).toMatch(
      /^ {2}verdict of all together: \S+\/batches\/\d+$/m,
    );
    const { pathname } = new URL(batch!);
    expect(
      await (await fetch(`${server.url}${pathname}`, { headers: { accept: 'application/json' } })).json(),
    ).toMatchObject({ matches: expect.any(Number), jobs: [{ filename: 'together.evtx' }, { filename: 'auth.log' }] });
  });

  it('lets no file stop the others', async () => {
    const good = newLog();
    const notes = join(folder, 'notes.txt');
    writeFileSync(notes, 'Dear all,\n');
    const missing = join(folder, 'none.evtx');
    const { code, err, all } = await outcomes(missing, notes, good);
    expect(code).toBe(3);
    expect(err).toContain(`${missing}: there is no such file`);
    expect(err).toContain(`${notes}: it is no known log, and no workflow takes it; --type says what it is`);
    expect(all.map(({ status }) => status)).toEqual(['not_submitted', 'completed']);
    expect(await outcomes(missing, good)).toMatchObject({ code: 3, all: [{ status: 'completed' }] });
    expect((await submit(missing)).code).toBe(2);
  });

  it('has an exit code for findings of some severity', async () => {
    const path = join(folder, 'graded.evtx');
    copyFileSync(sample, path);
    expect((await submit(path, '--fail-on', 'high')).code).toBe(1);
    expect((await submit(path, '--fail-on', 'medium')).code).toBe(1);
    expect((await submit(path, '--fail-on', 'critical')).code).toBe(0);
    expect((await submit(path, '--fail-on', 'high', '--no-wait')).code).toBe(2);
  });

  it('gives a line of JSON per file, and does not wait when told so', async () => {
    const [one, other] = [newLog(), newLog()];
    const { code, out } = await submit(one, other, '--format', 'jsonl', '--no-wait');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    const files = lines.map((line) => (JSON.parse(line) as Outcome).file);
    expect(files.toSorted()).toEqual([one, other]);
    expect(asked('/api/v1/jobs?ids=')).toBe(0);
  });

  it('analyses anew when forced, and keeps private what is to be', async () => {
    const path = newLog('forced.log');
    const jobs = [
      (await outcomes(path)).all,
      (await outcomes(path, '--force')).all,
      (await outcomes(path, '--private')).all,
    ];
    expect(new Set(jobs.map(([only]) => only!.job_id)).size).toBe(3);
    const seen = (job: Outcome) =>
      fetch(`${server.url}/jobs/${job.job_id}`, { headers: { accept: 'application/json' } });
    expect((await seen(jobs[1]![0]!)).status).toBe(200);
    expect((await seen(jobs[2]![0]!)).status).toBe(404);
  });

  it('takes the workflow and the type that are asked for', async () => {
    const { workflows } = (await (await fetch(`${server.url}/api/v1/workflows`)).json()) as {
      workflows: { id: number; name: string; log_types: string[] }[];
    };
    const linux = workflows.find(({ log_types: types }) => types.includes('syslog'))!;
    const windows = workflows.find(({ log_types: types }) => types.includes('evtx') && !types.includes('syslog'))!;
    expect((await outcomes(newLog(), '--workflow', linux.name.toUpperCase())).code).toBe(0);
    expect((await outcomes(newLog(), '--workflow', String(linux.id))).code).toBe(0);
    const wrong = await outcomes(newLog(), '--workflow', windows.name);
    expect(wrong.err).toContain(`it is of type syslog (Syslog), and “${windows.name}” does not take it`);
    expect((await submit(newLog(), '--workflow', 'nothing')).err).toContain(`${linux.id} “${linux.name}”`);
    const notes = join(folder, 'odd.txt');
    writeFileSync(notes, 'Dear all,\n');
    expect((await outcomes(notes, '--type', 'syslog')).all).toMatchObject([{ status: 'completed' }]);
  });

  it('adds jobs to a case, which is made once, and tags them', async () => {
    const path = newLog();
    const marks = ['--new-case', 'Host 7', '--tag', 'Phishing', '--tag', 'host/7'];
    const [first] = (await outcomes(path, ...marks)).all;
    const id = first!.case_id;
    expect(id).toBeGreaterThan(0);
    const shown = await fetch(first!.job_url!, { headers: { ...(await signedIn()), accept: 'application/json' } });
    const { tags } = (await shown.json()) as { tags: { tag: string }[] };
    // A shared rule tags it, too, some time after.
    expect(tags.map(({ tag }) => tag)).toEqual(expect.arrayContaining(['host/7', 'phishing']));
    expect((await outcomes(path, ...marks)).all).toMatchObject([{ case_id: id, job_id: first!.job_id }]);
    expect((await outcomes(newLog(), '--new-case', 'Host 7')).all).toMatchObject([{ case_id: id }]);
    expect((await outcomes(newLog(), '--case', 'host 7')).all).toMatchObject([{ case_id: id }]);
    expect((await outcomes(newLog(), '--case', String(id))).all).toMatchObject([{ case_id: id }]);
    expect(await submit(newLog(), '--case', 'Host 8')).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no open case "Host 8"; --new-case makes one'),
    });
    const none = await outcomes(newLog(), '--case', '4711');
    expect(none).toMatchObject({ code: 3, err: expect.stringContaining('There is no such case') });
  });

  it('has two files on their way, never more', async () => {
    const paths = Array.from({ length: 6 }, () => newLog());
    proxy.befall((name) =>
      name.startsWith('PUT') ? new Promise((resolve) => setTimeout(() => resolve(undefined), 150)) : undefined,
    );
    const { code, all } = await outcomes(...paths);
    expect(code).toBe(0);
    expect(all.map(({ file }) => file)).toEqual(paths);
    expect(proxy.mostAtOnce('PUT')).toBe(2);
  });

  it('shows on a terminal how far it is', async () => {
    let shown = '';
    const path = newLog('big.log', 300_000);
    // Nothing is drawn in the first quarter of a second.
    proxy.befall((name) =>
      name.startsWith('PUT') ? new Promise((resolve) => setTimeout(() => resolve(undefined), 400)) : undefined,
    );
    const { code } = await svcOn(
      { statusWidth: 200, err: (text) => void (shown += text) },
      'submit',
      path,
      '--server',
      proxy.url,
    );
    expect(code).toBe(0);
    expect(shown).toMatch(/[━─]{24} +\d+ % .* of 2\d\.\d MiB .*big\.log \d+ %/);
    expect(shown).toContain('1 file being analysed');
  });
});

describe('a bad connection', () => {
  const onlyOnce = <T>(what: T, when: (name: string) => boolean) => {
    let isDone = false;
    return (name: string): T | undefined => {
      if (isDone || !when(name)) return undefined;
      isDone = true;
      return what;
    };
  };
  const isSubmit = (name: string): boolean => name === 'POST /api/v1/jobs';

  it('cut in the middle of a file: it is sent again, and submitted once', async () => {
    const path = newLog('cut.log', 200_000);
    proxy.befall(onlyOnce({ kind: 'cut' }, (name) => name.startsWith('PUT')));
    const { code, err, all } = await outcomes(path);
    expect(code).toBe(0);
    expect(all).toMatchObject([{ status: 'completed', reused: false }]);
    expect(err).toMatch(/the connection was lost \(\w+\); trying again/);
    expect(asked('PUT ')).toBe(2);
    expect(asked('/api/v1/uploads')).toBe(1);
    expect(await jobsNamed('cut.log')).toBe(1);
  });

  it('that loses the answer: the receipt is asked for and nothing is sent again', async () => {
    const path = newLog('lost.log');
    proxy.befall(onlyOnce({ kind: 'lost answer' }, isSubmit));
    const { code, all } = await outcomes(path);
    expect(code).toBe(0);
    expect(all).toMatchObject([{ status: 'completed', reused: false }]);
    expect(asked('PUT ')).toBe(1);
    expect(proxy.seen.filter(isSubmit)).toHaveLength(1);
    expect(asked('/api/v1/submissions/')).toBe(2);
    expect(await jobsNamed('lost.log')).toBe(1);
  });

  it('to a busy service is tried again when the service says', async () => {
    const busy = { detail: 'Busy.', code: 'busy', request_id: 'r' };
    proxy.befall(onlyOnce({ kind: 'answer', status: 429, headers: { 'retry-after': '1' }, body: busy }, isSubmit));
    const started = performance.now();
    const { code, err } = await outcomes(newLog());
    expect(code).toBe(0);
    expect(err).toContain('Busy.; trying again');
    expect(performance.now() - started).toBeGreaterThan(1000);
    expect(asked('PUT ')).toBe(1);
  });

  it('to where there is no service ends at once', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, out, err } = await svc('submit', newLog(), '--server', url);
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toBe(`svc: ${url}: nothing answers there\n`);
  });

  it.each(['before', 'after'] as const)('to a service that is killed %s it takes the file', async (moment) => {
    const paths = [newLog(`killed-${moment}.log`), newLog(`killed-${moment}.log`)];
    const restart = async (): Promise<undefined> => {
      await server.stop('SIGKILL');
      server = await startServer({ dataDir: server.dataDir, env });
      proxy.leadTo(server.url);
    };
    let isKilled = false;
    proxy.befall((name) => {
      if (isKilled || !isSubmit(name)) return undefined;
      isKilled = true;
      return moment === 'before' ? restart() : { kind: 'lost answer', meanwhile: restart };
    });
    const { code, all } = await outcomes(...paths);
    expect(all).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    expect(code).toBe(0);
    expect(await jobsNamed(`killed-${moment}.log`)).toBe(2);
    // The other file may have been on its way.
    expect(asked('PUT ')).toBeLessThanOrEqual(3);
  });
});

describe('a refusal', () => {
  it('of the token ends everything, with a code of its own', async () => {
    const token = process.env['SVC_TOKEN'];
    try {
      process.env['SVC_TOKEN'] = 'svc_wrong';
      const { code, out, err } = await submit(newLog());
      expect({ code, out }).toEqual({ code: 5, out: '' });
      expect(err).toContain('refuses the token');
      expect(err).not.toContain('svc_wrong');
      process.env['SVC_TOKEN'] = await newToken(['job:submit']);
      const blind = await outcomes(newLog());
      expect(blind).toMatchObject({ code: 5, all: [{ status: 'pending', job_id: expect.any(Number) }] });
      expect(blind.err).toContain('job:read');
      expect((await outcomes(newLog(), '--no-wait')).code).toBe(0);
    } finally {
      process.env['SVC_TOKEN'] = token;
    }
  });

  it('because the job was deleted says how to analyse the file again', async () => {
    const gone = { detail: 'The job of this submission was deleted', code: 'job_gone', request_id: 'r' };
    proxy.befall((name) => (name.includes('submissions') ? { kind: 'answer', status: 410, body: gone } : undefined));
    const path = newLog();
    const { code, err } = await outcomes(path);
    expect(code).toBe(3);
    expect(err).toContain(`${path}: The job of this file was deleted since; --force analyses the file again`);
    expect((await outcomes(path, '--force')).code).toBe(0);
  });

  it('of a file that changes while it is sent says so', async () => {
    const path = newLog('changing.log', 2);
    proxy.befall((name) => {
      if (name === 'POST /api/v1/uploads') writeFileSync(path, readFileSync(path, 'utf8').replaceAll('ada', 'eve'));
      return undefined;
    });
    const { code, err } = await outcomes(path);
    expect(code).toBe(3);
    expect(err).toContain(`${path}: it changed while it was sent`);
  });
});

it('an interruption says what was submitted, and the same call goes on from there', async () => {
  const paths = Array.from({ length: 8 }, () => newLog('interrupted.log'));
  const call = ['submit', '--server', proxy.url, ...paths, '--format', 'jsonl'];
  let puts = 0;
  let release = (): void => undefined;
  // However long the machine takes over it, the fourth is not there before the call ends.
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  proxy.befall((name) => (name.startsWith('PUT') && ++puts > 3 ? held : undefined));
  const child = spawn(process.execPath, [launcher, ...call], { env: process.env });
  let err = '';
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  while (puts < 5) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  release();
  expect(code).toBe(130);
  expect(err).toMatch(/svc: 3 of 8 files submitted; their analysis goes on\. The same command goes on from there/);
  proxy.reset();
  const again = await svc(...call);
  expect(again.code).toBe(0);
  expect(asked('PUT ')).toBe(5);
  expect(await jobsNamed('interrupted.log')).toBe(8);
});

describe('svc intel', () => {
  const intel = (...argv: string[]) => svc('intel', ...argv, '--server', server.url);

  it('searches, shows and tags what logs name, and marks what it cannot read', async () => {
    const path = join(folder, 'entities.evtx');
    copyFileSync(sample, path);
    expect((await submit(path)).code).toBe(0);
    const token = process.env['SVC_TOKEN'];
    try {
      process.env['SVC_TOKEN'] = await newToken(['intel:read', 'intel:tag']);
      // Entities are stored right after a job.
      await expect.poll(async () => (await intel('search', 'type:computer')).out).toMatch(/^ {2}\S+ +computer +\d/m);
      const found = JSON.parse((await intel('search', 'type:computer', '--format', 'json')).out) as EntityRow[];
      const [computer] = found;
      const bad = await intel('search', 'type:ip cidr:10.0.0.0/99');
      expect(bad).toMatchObject({ code: 2, out: '' });
      expect(bad.err).toMatch(/^svc: at 9: .*\n {2}type:ip cidr:10\.0\.0\.0\/99\n {10}\^{16}\n$/);
      const tagged = await intel('tag', 'Crown Jewels', computer!.value.toUpperCase(), 'nothing-of-this-name');
      expect(tagged).toEqual({
        code: 3,
        out: 'Tagged “crown jewels”: 1 of 1 entity\n',
        err: 'svc: no log names nothing-of-this-name\n',
      });
      const shown = await intel('show', computer!.value, '--type', 'computer');
      expect(shown).toMatchObject({ code: 0, err: '' });
      expect(shown.out).toMatch(/\n {2}tags: crown jewels\n.*jobs that name it: \d/s);
      expect((await intel('show', `#${computer!.id}`, '--format', 'json')).out).toContain('"crown jewels"');
      expect((await intel('tag', 'crown jewels', `#${computer!.id}`, '--off')).code).toBe(0);
      const lines = await intel('search', '"tag:crown jewels"', '--format', 'jsonl');
      expect(lines).toMatchObject({ code: 0, out: '' });
      expect((await intel('show', 'nothing-of-this-name')).code).toBe(3);
      process.env['SVC_TOKEN'] = await newToken(['intel:read']);
      expect((await intel('tag', 'x', `#${computer!.id}`)).code).toBe(5);
    } finally {
      process.env['SVC_TOKEN'] = token;
    }
  });
});

describe('svc login', () => {
  const enter = (token: string) => svcOn({ input: Readable.from([`${token}\n`]) }, 'login', '--server', proxy.url);

  it('tries the token and keeps it for svc submit', async () => {
    const token = process.env['SVC_TOKEN'];
    expect(await enter('svc_wrong')).toMatchObject({ code: 5, out: '' });
    const { code, out, err } = await enter(token!);
    const file = join(folder, 'svc/config.json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`svc submit now goes to ${proxy.url}; the token is in ${file}.\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    try {
      delete process.env['SVC_TOKEN'];
      expect((await svc('submit', newLog())).code).toBe(0);
      const blind = await enter(await newToken(['job:submit']));
      expect(blind).toMatchObject({ code: 0, err: expect.stringContaining('--no-wait') });
      expect((await enter(await newToken(['case:read']))).code).toBe(5);
    } finally {
      process.env['SVC_TOKEN'] = token;
    }
  });
});
