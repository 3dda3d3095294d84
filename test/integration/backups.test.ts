import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { BackupManifest } from '@svc/contracts/backup.ts';
import type { JobProgress, SubmittedJob, Workflow } from '@svc/contracts';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWith } from '../support/programs.ts';
import { startS3, type S3Server } from '../support/s3-server.ts';
import { startServer, type Server } from '../support/server.ts';

/** Of a machine that does much else: each test starts five processes of the product, one after the other. */
const patienceMs = 600_000;
vi.setConfig({ testTimeout: patienceMs });
const launcher = join(projectRoot(), 'shared/cli/bin/svc.mjs');
const isRoot = process.getuid?.() === 0;
const quick = { UPLOAD_RATE_LIMIT_PER_MINUTE: '0' };
let root: string;
const servers: Server[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-backups-'));
  // The account of the database must reach what is in it, unless PGlite is wanted.
  await chmod(root, 0o711);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  await rm(root, { recursive: true, force: true });
});

const admin = (env: NodeJS.ProcessEnv, ...args: string[]) => printedBy(env, launcher, ['admin', ...args]);

async function printedBy(env: NodeJS.ProcessEnv, program: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, printed]).toEqual([0, expect.anything()]);
  return printed;
}

async function started(dataDir: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const server = await startServer({ dataDir, env: { ...quick, ...env } });
  servers.push(server);
  return server;
}

/** The number of its job; null when there are too many uploads at once. */
async function submit({ url }: Server, workflow: number, text: string): Promise<number | null> {
  const form = new FormData();
  form.set('workflow_id', String(workflow));
  form.set('file', new Blob([text]), 'auth.log');
  const response = await fetch(`${url}/upload`, { method: 'POST', body: form });
  if (response.status === 429) return null;
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as SubmittedJob).job_id;
}

async function workflowOf({ url }: Server): Promise<number> {
  const { workflows } = (await (await fetch(`${url}/api/v1/workflows`)).json()) as { workflows: Workflow[] };
  return workflows.find(({ log_types: types }) => types.includes('syslog'))!.id;
}

async function endOf(server: Server, id: number): Promise<string> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(50)) {
    const answer = await fetch(`${server.url}/jobs/${id}/status`, { headers: { accept: 'application/json' } });
    if (answer.status !== 200) return `answered with ${answer.status}`;
    const { terminal, status } = (await answer.json()) as JobProgress;
    if (terminal) return status;
  }
  throw new Error(`job ${id} did not end:\n${server.output()}`);
}

/** Backs up while files are submitted and analysed, and restores into another place. */
async function backedUpUnderLoad(from: { dataDir: string; env: NodeJS.ProcessEnv }, to: typeof from): Promise<void> {
  const server = await started(from.dataDir, from.env);
  const workflow = await workflowOf(server);
  const answered: number[] = [];
  let isOver = false;
  const submitter = async (name: number): Promise<void> => {
    for (let nth = 0; !isOver; nth += 1) {
      const line = `Mar  1 12:00:${String(nth % 60).padStart(2, '0')} host${name} sshd[${nth}]: Accepted publickey for ada from 192.0.2.${name}\n`;
      const id = await submit(server, workflow, line.repeat(5));
      if (id !== null) answered.push(id);
      // As fast as it goes, they would take the processor from the backup, which then lasts the longer.
      await sleep(100);
    }
  };
  const submitting = Promise.all([1, 2, 3].map(submitter));
  while (answered.length < 12) await sleep(20);
  const before = [...answered];
  const folder = `${to.dataDir}-backup`;
  try {
    await admin({ ...from.env, DATA_DIR: from.dataDir }, 'backup', folder);
  } finally {
    isOver = true;
    await submitting;
  }
  expect(answered.length).toBeGreaterThan(before.length);
  await server.stop();

  await mkdir(to.dataDir, { mode: 0o711 });
  await copyFile(join(from.dataDir, 'secret.key'), join(to.dataDir, 'secret.key')).catch(() => undefined);
  expect(await admin({}, 'verify', folder)).toContain('All of it is as it was written.');
  const told = await admin({ ...to.env, DATA_DIR: to.dataDir }, 'restore', folder);
  const manifest = BackupManifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  expect(manifest.objects.missing).toEqual([]);
  expect(told).toContain(`names: ${manifest.objects.count}, missing: 0; objects that it does not name: 0.`);
  const jobs = manifest.tables.find(({ table }) => table === 'jobs')!.rows;
  expect(jobs).toBeGreaterThanOrEqual(before.length);

  const restored = await started(to.dataDir, to.env);
  // What was waiting is analysed there, of the files that came with it.
  expect(await Promise.all(before.map((id) => endOf(restored, id)))).toEqual(before.map(() => 'completed'));
  const list = (await (await fetch(`${restored.url}/jobs`, { headers: { accept: 'application/json' } })).json()) as {
    total: number;
  };
  expect(list.total).toBe(jobs);
  expect(await submit(restored, await workflowOf(restored), 'Mar  1 12:00:00 host9 su: new\n')).toBeGreaterThan(
    Math.max(...before),
  );
  await restored.stop();
}

/** The administrator that a first start makes. */
const boss = { email: 'me@example.org', password: 'battery staple' };

/** Has a secret kept, so that a backup needs its key. */
async function keepSecret({ url }: Server): Promise<void> {
  const body = new URLSearchParams({ username: boss.email, password: boss.password });
  const signedIn = await fetch(`${url}/auth/cookie/login`, { method: 'POST', body });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const made = await fetch(`${url}/admin/enrichment`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Own', provider_key: 'own', entity_types: ['domain'], api_token: 'hush' }),
  });
  expect(made.status).toBe(201);
}

it('has everything of before, with the database of one machine', async () => {
  const place = (name: string) => ({ dataDir: join(root, name), env: {} });
  const from = place('own');
  await mkdir(from.dataDir, { mode: 0o711 });
  await backedUpUnderLoad(from, place('own-restored'));
  const told = await printedBy({ DATA_DIR: from.dataDir }, join(projectRoot(), 'scripts/restore-drill.mjs'), [
    join(root, 'own-restored-backup'),
  ]);
  expect(told).toMatch(/It serves after [\d.]+ s: .*"status":"ok".*\nVisitors see \d+ jobs\.\n.*auth\.log.*succeeded/s);
});

it('that is refused leaves the place as it was, which then takes one that is whole', async () => {
  const [dataDir, folder] = [join(root, 'refusing'), join(root, 'of-refusing')];
  await mkdir(dataDir, { mode: 0o711 });
  const server = await started(dataDir, { ADMIN_EMAIL: boss.email, ADMIN_PASSWORD: boss.password });
  const id = (await submit(server, await workflowOf(server), 'Mar  1 12:00:00 host9 su: one\n'))!;
  expect(await endOf(server, id)).toBe('completed');
  await keepSecret(server);
  await server.stop();
  await admin({ DATA_DIR: dataDir }, 'backup', folder);

  const target = join(root, 'refused');
  await mkdir(target, { mode: 0o711 });
  const restore = () =>
    spawnSync(process.execPath, [launcher, 'admin', 'restore', folder], {
      env: { ...process.env, DATA_DIR: target },
      encoding: 'utf8',
    });
  expect(restore()).toMatchObject({ status: 1, stderr: expect.stringMatching(/key that sealed .* here is none/) });
  expect(readdirSync(target)).toEqual([]);
  await copyFile(join(dataDir, 'secret.key'), join(target, 'secret.key'));
  const damaged = join(
    folder,
    BackupManifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).objects.file,
  );
  const whole = readFileSync(damaged);
  await writeFile(damaged, 'damaged');
  expect(restore()).toMatchObject({ status: 1, stderr: expect.stringContaining('The backup is damaged') });
  expect(readdirSync(target)).toEqual(['secret.key']);
  await writeFile(damaged, whole);
  expect(restore()).toMatchObject({ status: 0, stdout: expect.stringContaining('It is restored.') });
  const restored = await started(target, {});
  expect(await endOf(restored, id)).toBe('completed');
  await restored.stop();
});

it.runIf(isRoot)('has it with PGlite, which goes on meanwhile, and leaves no copy behind', async () => {
  // Where PostgreSQL's own account cannot come.
  const hidden = await mkdtemp(join(root, 'hidden-'));
  const from = { dataDir: join(hidden, 'data'), env: {} };
  await backedUpUnderLoad(from, { dataDir: join(hidden, 'restored'), env: {} });
  expect(readdirSync(from.dataDir).filter((name) => name.includes('copy'))).toEqual([]);
  expect(servers.at(-1)?.output()).toContain('PGlite');
});

describeWith('postgres', 'a backup of a server’s database', () => {
  describeWith('s3', 'and of a bucket', () => {
    let s3: S3Server;
    beforeAll(async () => void (s3 = await startS3()));
    afterAll(() => s3.remove());

    it('goes into another database and another bucket', async () => {
      const other = 'svc-restored';
      const CreateBucketConfiguration = { LocationConstraint: 'eu-central-1' } as const;
      await s3.client.send(new CreateBucketCommand({ Bucket: other, CreateBucketConfiguration }));
      const place = async (name: string, over: Record<string, string>) => ({
        dataDir: join(root, name),
        env: {
          ...s3.env,
          ...over,
          DATABASE_URL: await makeServerDatabase({ isEmpty: true }),
          SECRET_KEY: '0123456789abcdef'.repeat(4),
        },
      });
      await backedUpUnderLoad(await place('hosted', {}), await place('hosted-restored', { S3_BUCKET: other }));
    });
  });
});
