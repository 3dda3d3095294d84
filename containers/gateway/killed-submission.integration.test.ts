import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { JobList, JobProgress, SubmittedJob, UploadTicket, Workflow } from '@svc/contracts';
import { bundleThread } from '@svc/engine/testing/bundle-thread.ts';
import { writeEvtx } from '@svc/engine/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../../test/support/programs.ts';

const [email, password] = ['root@example.org', 'correct horse battery'];
const secretKey = '0123456789abcdef'.repeat(4);
/** More steps than a submission has. */
const manySteps = 30;

let root: string;
let entry: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-steps-'));
  const adapters = new URL('../../shared/adapters/', import.meta.url);
  await bundleThread('database-thread', new URL('postgres/database-thread.ts', adapters));
  await bundleThread('engine-thread', new URL('local/engine-thread.ts', adapters));
  await bundleThread('rules-thread', new URL('local/rules-thread.ts', adapters));
  entry = fileURLToPath(await bundleThread('killed-gateway', new URL('./testing/killed-gateway.ts', import.meta.url)));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Where the service keeps what outlives it. */
type State = Record<'DATA_DIR' | 'DATABASE_URL', string>;

/** The service on such a state, as one who has signed in sees it. */
class Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly #cookie: string;

  private constructor(child: ChildProcess, url: string, cookie: string) {
    [this.child, this.url, this.#cookie] = [child, url, cookie];
  }

  /** @param cookie - of an earlier start; its session goes on. */
  static async start(state: State, { cookie = '', isResting = true } = {}): Promise<Service> {
    const env = { ...process.env, ...state, SECRET_KEY: secretKey, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'ERROR' };
    const options = { env: { ...env, ADMIN_EMAIL: email, ADMIN_PASSWORD: password }, silent: true };
    const child = fork(entry, isResting ? ['resting'] : [], options);
    const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the service ended with ${code}`)));
    const [{ url }] = (await Promise.race([once(child, 'message'), exited])) as [{ url: string }];
    exited.catch(() => undefined);
    return new Service(child, url, cookie || (await signedIn(url)));
  }

  get cookie(): string {
    return this.#cookie;
  }

  send(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = { accept: 'application/json', cookie: this.#cookie, origin: this.url, ...init.headers };
    return fetch(this.url + path, { ...init, headers });
  }

  async get<T>(path: string): Promise<T> {
    return (await (await this.send(path)).json()) as T;
  }

  /** Dies at that step of the next request. */
  async dieAt(step: number): Promise<void> {
    this.child.send(step);
    await once(this.child, 'message');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

async function signedIn(url: string): Promise<string> {
  const body = new URLSearchParams({ username: email, password });
  const response = await fetch(`${url}/auth/cookie/login`, { method: 'POST', body });
  return response.headers.get('set-cookie')!.split(';')[0]!;
}

/** A log of its own. */
function logOf(name: string): Uint8Array<ArrayBuffer> {
  const event = {
    provider: 'Microsoft-Windows-Sysmon',
    eventId: 1,
    time: '2026-08-01T10:00:00Z',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: 'ws1.example.org',
    data: { Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: `whoami ${name}` },
  };
  return new Uint8Array(writeEvtx([event]));
}

interface File {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly key: string;
  readonly workflow: number;
}
/** How a client gets a file to the service; the answer to what makes the job, or to what failed before it. */
type Submit = (service: Service, file: File) => Promise<Response>;

const asForm: Submit = async (service, { name, bytes, key, workflow }) => {
  const body = new FormData();
  body.set('workflow_id', String(workflow));
  body.set('file', new Blob([bytes]), `${name}.evtx`);
  return service.send('/api/v1/jobs', { method: 'POST', body, headers: { 'idempotency-key': key } });
};

const asReservedUpload: Submit = async (service, { name, bytes, key, workflow }) => {
  const post = (path: string, fields: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return service.send(path, { method: 'POST', headers, body: JSON.stringify(fields) });
  };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const reserved = await post('/api/v1/uploads', { filename: `${name}.evtx`, size_bytes: bytes.length, sha256 });
  if (!reserved.ok) return reserved;
  const { upload_id, url, headers, method } = (await reserved.json()) as UploadTicket;
  const sent = await service.send(new URL(url, service.url).pathname, { method, headers, body: bytes });
  return sent.ok ? post('/api/v1/jobs', { upload_id, workflow_id: workflow }) : sent;
};

async function completed(service: Service, id: number): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(50)) {
    const { status, terminal } = await service.get<JobProgress>(`/jobs/${id}/status`);
    if (terminal) return expect([id, status]).toEqual([id, 'completed']);
  }
  throw new Error(`job ${id} did not complete`);
}

/** What a client does that got no answer: it asks for the receipt, then sends the same again; twice, to be sure. */
async function askAndRepeat(service: Service, submit: Submit, file: File): Promise<{ id: number; known: boolean }> {
  const receipt = await service.send(`/api/v1/submissions/${file.key}`);
  expect([200, 404]).toContain(receipt.status);
  const known = receipt.ok ? ((await receipt.json()) as SubmittedJob).job_id : null;
  const first = await submit(service, file);
  const second = await submit(service, file);
  expect([first.status, second.status]).toEqual([known === null ? 202 : 200, 200]);
  const { job_id: id } = (await first.json()) as SubmittedJob;
  expect((await second.json()) as SubmittedJob).toMatchObject({ job_id: id });
  if (known !== null) expect(id).toBe(known);
  return { id, known: known !== null };
}

describeWith('postgres', 'a service on a PostgreSQL server', () => {
  describe.each([
    ['a form with a new file', asForm, logOf],
    ['a form with a file that is stored already', asForm, () => logOf('known')],
    ['a reserved upload', asReservedUpload, logOf],
  ])('a service that is killed at any step of the submission of %s', (what, submit, content) => {
    it('loses nothing that it accepted, and makes no job twice', async () => {
      const state = { DATA_DIR: join(root, what.replaceAll(' ', '-')), DATABASE_URL: await makeServerDatabase() };
      let service = await Service.start(state);
      const { cookie } = service;
      const { workflows } = await service.get<{ workflows: Workflow[] }>('/api/v1/workflows');
      const workflow = workflows.find((one) => one.is_default)!.id;
      expect((await submit(service, { name: 'first', bytes: logOf('known'), key: 'first', workflow })).status).toBe(
        202,
      );
      const accepted = new Map<string, number>();
      const committed = new Set<boolean>();
      for (let step = 1; ; step += 1) {
        expect(step, 'it goes on and on').toBeLessThan(manySteps);
        const file = { name: `${step}`, bytes: content(`${step}`), key: `key-${step}`, workflow };
        await service.dieAt(step);
        const answer = await submit(service, file).catch(() => null);
        // Dead, or all steps are done; an answer can come just before the death.
        await service.stop();
        if (answer) {
          expect(answer.status).toBe(202);
          accepted.set(file.name, ((await answer.json()) as SubmittedJob).job_id);
          break;
        }
        service = await Service.start(state, { cookie });
        const { id, known } = await askAndRepeat(service, submit, file);
        accepted.set(file.name, id);
        committed.add(known);
      }
      // It died on both sides of the commit.
      expect(committed).toEqual(new Set([true, false]));

      service = await Service.start(state, { cookie, isResting: false });
      for (const id of accepted.values()) await completed(service, id);
      const { jobs } = await service.get<JobList>('/jobs?per=100');
      const names = ['first', ...accepted.keys()].map((name) => `${name}.evtx`);
      expect(jobs.map(({ filename }) => filename).sort()).toEqual(names.sort());
      await service.stop();
    }, 600_000);
  });
});
