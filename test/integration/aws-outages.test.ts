import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { ExportedFinding, JobProgress, SubmittedJob } from '@svc/contracts';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAwsEmulators, type AwsEmulators } from '../support/aws-emulators.ts';
import { startGate, type Gate } from '../support/gate.ts';
import { describeWith } from '../support/programs.ts';
import { startServer, startWorkerProcess, type Program, type Server } from '../support/server.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
// A minute of 60-second leases, scaled down: an outage lasts as long as a lease, and some more.
const leaseSeconds = 3;
const outageMs = 4000;
const jobsAtOnce = 6;
const services = ['SQS', 'DynamoDB', 'S3'] as const;

describeWith('postgres', 'while a service of AWS refuses', () => {
  let folder = '';
  let database: string;
  let aws: AwsEmulators;
  let gates: Record<(typeof services)[number], Gate>;
  let urls: { fast: string; heavy: string; dead: string };
  let web: Server;
  const workers: Program[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-outages-'));
    [database, aws] = await Promise.all([makeServerDatabase(), startAwsEmulators()]);
    const [queues, tables] = [aws.env['AWS_ENDPOINT_URL_SQS']!, aws.env['AWS_ENDPOINT_URL_DYNAMODB']!];
    const gateTo = (url: string): Promise<Gate> => startGate(Number(new URL(url).port));
    // The emulator of SQS has S3, too.
    gates = { SQS: await gateTo(queues), DynamoDB: await gateTo(tables), S3: await gateTo(queues) };
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const s3 = new S3Client({ endpoint: queues, region: 'us-east-1', forcePathStyle: true, credentials });
    await s3.send(new CreateBucketCommand({ Bucket: 'svc-test' }));
    s3.destroy();
    urls = { fast: await aws.queue('fast'), heavy: await aws.queue('heavy'), dead: await aws.queue('dead') };
    const env = {
      ...aws.env,
      AWS_ENDPOINT_URL_SQS: gates.SQS.url,
      AWS_ENDPOINT_URL_DYNAMODB: gates.DynamoDB.url,
      STORAGE_BACKEND: 's3',
      S3_ENDPOINT: gates.S3.url,
      S3_BUCKET: 'svc-test',
      S3_ACCESS_KEY: credentials.accessKeyId,
      S3_SECRET_KEY: credentials.secretAccessKey,
      DATABASE_URL: database,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: '0123456789abcdef'.repeat(4),
      TASKQ_SQS_URL: urls.fast,
      TASKQ_SQS_HEAVY_URL: urls.heavy,
      TASKQ_SQS_DEAD_URL: urls.dead,
      // Half of the jobs are above it.
      FAST_LANE_MAX_MB: '1',
      TASKQ_LEDGER_TABLE: await aws.ledger('tasks'),
      WORKER_HEARTBEAT_INTERVAL: '1',
      WORKER_HEARTBEAT_TTL: String(leaseSeconds),
      UPLOAD_RATE_LIMIT_PER_MINUTE: '0',
      UPLOAD_MAX_CONCURRENT: '20',
    };
    web = await startServer({ dataDir: join(folder, 'data'), env: { ...env, TASKQ_WORKERS: '0' } });
    for (const lanes of ['fast', 'heavy']) {
      workers.push(await startWorkerProcess({ ...env, TASKQ_WORKERS: '1', TASKQ_LANES: lanes }));
    }
  });
  afterAll(async () => {
    await Promise.all([web, ...workers].map((program) => program.stop('SIGKILL')));
    for (const gate of Object.values(gates)) gate.stop();
    await aws.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(web.url + path, { headers: { accept: 'application/json' } });
    return (await response.json()) as T;
  }
  const statusOf = async (id: number): Promise<string> => (await get<JobProgress>(`/jobs/${id}/status`)).status;
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) if (await holds()) return;
    throw new Error(`it did not come to that:\n${[web, ...workers].map((program) => program.output()).join('\n')}`);
  };

  /** Submits the sample, alone or so often that it is for the heavy lane; null when it is refused, with a reason. */
  async function submit(isLarge: boolean): Promise<number | null> {
    const log = await openAsBlob(sample);
    // What follows the last chunk of a log is no part of it.
    const file = isLarge ? new Blob([log, new Uint8Array(1_048_577)]) : log;
    const form = new FormData();
    form.set('workflow_id', '1');
    form.set('force_resubmit', 'true');
    form.set('file', file, 'log.evtx');
    const response = await fetch(`${web.url}/upload`, { method: 'POST', body: form });
    if (response.status === 202) return ((await response.json()) as SubmittedJob).job_id;
    expect([response.status, ((await response.json()) as { detail?: string }).detail]).toEqual([
      503,
      expect.any(String),
    ]);
    return null;
  }

  /** What users do: they come again until their file is taken. */
  async function submitted(isLarge: boolean): Promise<number> {
    for (;;) {
      const id = await submit(isLarge);
      if (id !== null) return id;
      await sleep(500);
    }
  }

  it.each(services)('%s, nothing is lost that was taken, and each job is reported once', async (service) => {
    const before = await Promise.all(Array.from({ length: jobsAtOnce }, (_, at) => submitted(at % 2 === 0)));
    await until(async () => (await Promise.all(before.map(statusOf))).some((status) => status !== 'pending'));
    gates[service].shut();
    const reopened = sleep(outageMs).then(() => gates[service].open());
    const meanwhile = await Promise.all([submitted(false), submitted(true)]);
    await reopened;

    const ids = [...before, ...meanwhile];
    const ended = async (): Promise<boolean> => {
      const statuses = await Promise.all(ids.map(statusOf));
      expect(statuses).not.toContain('failed');
      return statuses.every((status) => status === 'completed');
    };
    await until(ended);
    const reports = await Promise.all(ids.map((id) => get<ExportedFinding[]>(`/jobs/${id}/findings.json`)));
    const counts = reports.map((report) => report.map(({ rule_name: name, count }) => `${name} ${count}`).toSorted());
    expect(counts[0]).not.toHaveLength(0);
    for (const count of counts) expect(count).toEqual(counts[0]);

    await until(async () => (await aws.messages(urls.fast)) + (await aws.messages(urls.heavy)) === 0);
    expect((await aws.dynamo.send(new ScanCommand({ TableName: 'tasks' }))).Items).toEqual([]);
    expect(await aws.messages(urls.dead)).toBe(0);
  });
});
