import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ExportedFinding, JobDetail, JobProgress, SubmittedJob, UploadTicket, Workflow } from '@svc/contracts';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGate, type Gate } from '../support/gate.ts';
import { describeWith } from '../support/programs.ts';
import { startS3, type S3Server } from '../support/s3-server.ts';
import { startServer, type Server } from '../support/server.ts';

const svc = fileURLToPath(new URL('../../shared/cli/bin/svc.mjs', import.meta.url));
const run = promisify(execFile);
const login = { username: 'admin@example.org', password: 'correct horse battery' };
const sample = fileURLToPath(new URL('../../config/samples/intrusion-sysmon.evtx', import.meta.url));

describeWith('s3', 'the product on S3', () => {
  let s3: S3Server;
  /** Between the service and the store. */
  let gate: Gate;
  let server: Server;
  let log: Buffer<ArrayBuffer>;
  beforeAll(async () => {
    log = await readFile(sample);
    s3 = await startS3();
    gate = await startGate(Number(new URL(s3.endpoint).port));
    const admin = { ADMIN_EMAIL: login.username, ADMIN_PASSWORD: login.password };
    server = await startServer({
      env: { ...s3.env, ...admin, S3_ENDPOINT: gate.url, S3_PUBLIC_ENDPOINT: s3.endpoint },
    });
  });
  afterAll(async () => {
    await server.stop();
    await server.remove();
    gate.stop();
    await s3.remove();
  });

  /** Files of logs; rule packs lie in a folder of their own. */
  async function objects(): Promise<number> {
    const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket }));
    return Contents.filter(({ Key }) => !Key!.startsWith('packs/')).length;
  }

  it('reports of a log what it reports of it on a local disk, and leaves no copy behind', async () => {
    const local = await startServer();
    const [here, there] = await Promise.all([
      report(local, await upload(local, log)),
      report(server, await upload(server, log)),
    ]);
    expect(there.findings.length).toBeGreaterThan(0);
    expect(there).toEqual(here);
    // The log, its findings, its matches, and the sample events of its findings.
    expect(await objects()).toBe(4);
    expect(existsSync(join(server.dataDir, 'objects'))).toBe(false);
    // The digest of the log is made of its copy when the job has ended.
    const scratch = async (): Promise<string[]> => {
      const entries = await readdir(join(server.dataDir, 'scratch'), { recursive: true, withFileTypes: true });
      // The lock of the folder is one, with the holder's file in it.
      return entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.lock')).map(({ name }) => name);
    };
    await expect.poll(scratch).toEqual([]);
    await local.stop();
    await local.remove();
  });

  it('takes a file that goes to the store by itself', async () => {
    const own = Buffer.concat([log, Buffer.alloc(512)]);
    const ticket = await post<UploadTicket>(server, '/uploads', {
      filename: 'Sysmon.evtx',
      size_bytes: own.length,
      sha256: createHash('sha256').update(own).digest('hex'),
    });
    expect(new URL(ticket.url).origin).toBe(s3.endpoint);
    const page = await fetch(server.url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${s3.endpoint}`);
    const { status } = await fetch(ticket.url, { method: 'PUT', headers: ticket.headers, body: own });
    expect(status).toBe(200);
    const { job_id: id } = await post<SubmittedJob>(server, '/upload', {
      workflow_id: await defaultWorkflow(server),
      upload_id: ticket.upload_id,
    });
    expect((await report(server, id)).findings.length).toBeGreaterThan(0);
  });

  it('takes files of `svc submit` in the same way', async () => {
    const signedIn = await fetch(`${server.url}/auth/cookie/login`, {
      method: 'POST',
      body: new URLSearchParams(login),
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { token } = await post<{ token: string }>(
      server,
      '/admin/api-tokens',
      { name: 'svc', scopes: ['job:submit', 'job:read'] },
      { cookie, origin: server.url },
    );
    const path = join(server.dataDir, 'Powershell.evtx');
    await writeFile(path, Buffer.concat([log, Buffer.alloc(128)]));
    const before = await objects();
    const env = { ...process.env, SVC_TOKEN: token };
    const { stdout } = await run(process.execPath, [svc, 'submit', '--server', server.url, path], { env });
    expect(stdout).toContain('1 file: 1 completed');
    expect(await objects()).toBe(before + 4);
  });

  it('says that the store is away, and goes on when it is back', async () => {
    gate.shut();
    // An answer about the health stands for two seconds.
    const health = (): Promise<Response> => fetch(`${server.url}/health`);
    await expect.poll(async () => (await health()).status, { timeout: 20_000 }).toBe(503);
    expect(await (await health()).json()).toMatchObject({ status: 'error', storage: 'error', database: 'ok' });
    const refused = await sent(server, Buffer.concat([log, Buffer.alloc(1024)]));
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    gate.open();
    await expect.poll(async () => (await health()).status, { timeout: 20_000 }).toBe(200);
    expect((await report(server, await upload(server, Buffer.concat([log, Buffer.alloc(2048)])))).findings).not.toEqual(
      [],
    );
  });

  it('does not start without its bucket, and says so', async () => {
    const env = { ...s3.env, S3_BUCKET: 'svc-missing' };
    await expect(startServer({ env })).rejects.toThrow(
      'The bucket svc-missing of the file store cannot be used (there is no such bucket)',
    );
  });
});

async function defaultWorkflow(server: Server): Promise<number> {
  const { workflows } = await get<{ workflows: Workflow[] }>(server, '/api/v1/workflows');
  return workflows.find(({ is_default: isDefault }) => isDefault)?.id ?? 0;
}

async function sent(server: Server, content: Buffer<ArrayBuffer>): Promise<Response> {
  const form = new FormData();
  form.set('workflow_id', String(await defaultWorkflow(server)));
  form.set('file', new Blob([content]), 'Sysmon.evtx');
  return fetch(`${server.url}/upload`, { method: 'POST', body: form });
}

async function upload(server: Server, content: Buffer<ArrayBuffer>): Promise<number> {
  const response = await sent(server, content);
  expect(response.status).toBe(202);
  return ((await response.json()) as SubmittedJob).job_id;
}

/** What an analysis found, when it has ended. */
async function report(server: Server, id: number): Promise<{ events: number | null; findings: unknown[] }> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
    const { terminal } = await get<JobProgress>(server, `/jobs/${id}/status`);
    if (!terminal) continue;
    const { status, events } = await get<JobDetail>(server, `/jobs/${id}`);
    expect(status).toBe('completed');
    const findings = await get<ExportedFinding[]>(server, `/jobs/${id}/findings.json`);
    return { events, findings };
  }
  throw new Error(`job ${id} did not end:\n${server.output()}`);
}

async function get<T>({ url }: Server, path: string): Promise<T> {
  return (await (await fetch(url + path, { headers: { accept: 'application/json' } })).json()) as T;
}

async function post<T>({ url }: Server, path: string, body: unknown, more: Record<string, string> = {}): Promise<T> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...more };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
