import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { ExportedFinding, JobDetail, JobProgress, SubmittedJob } from '@svc/contracts';
import { rerunTexts } from '@svc/domain';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAwsEmulators, type AwsEmulators } from '../support/aws-emulators.ts';
import { bigLog, writeBigLog } from '../support/big-log.ts';
import { describeWith } from '../support/programs.ts';
import { startServer, startWorkerProcess, type Program, type Server } from '../support/server.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
const jobs = 12;
const leaseSeconds = 3;
/** What a busy machine may take beyond it to begin again. */
const patienceMs = 10_000;

describeWith('postgres', 'analyses queued in SQS and leased in DynamoDB', () => {
  let folder = '';
  let database: string;
  let aws: AwsEmulators;
  let [queueUrl, heavyUrl] = ['', ''];
  let env: NodeJS.ProcessEnv = {};
  let web: Server;
  const workers: Program[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-aws-'));
    [database, aws] = await Promise.all([makeServerDatabase(), startAwsEmulators()]);
    [queueUrl, heavyUrl] = [await aws.queue('analyses'), await aws.queue('heavy')];
    env = {
      ...aws.env,
      DATABASE_URL: database,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: '0123456789abcdef'.repeat(4),
      TASKQ_SQS_URL: queueUrl,
      TASKQ_SQS_HEAVY_URL: heavyUrl,
      TASKQ_LEDGER_TABLE: await aws.ledger('tasks'),
      WORKER_HEARTBEAT_INTERVAL: '1',
      WORKER_HEARTBEAT_TTL: String(leaseSeconds),
      UPLOAD_RATE_LIMIT_PER_MINUTE: '0',
    };
    web = await startServer({ dataDir: join(folder, 'data'), env: { ...env, TASKQ_WORKERS: '0' } });
  });
  afterAll(async () => {
    await Promise.all([web, ...workers].map((program) => program.stop('SIGKILL')));
    await aws.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function submit(path = sample): Promise<number> {
    const form = new FormData();
    form.set('workflow_id', '1');
    form.set('force_resubmit', 'true');
    form.set('file', await openAsBlob(path), 'log.evtx');
    const response = await fetch(`${web.url}/upload`, { method: 'POST', body: form });
    expect(response.status).toBe(202);
    return ((await response.json()) as SubmittedJob).job_id;
  }
  async function get<T>(path: string): Promise<T> {
    const response = await fetch(web.url + path, { headers: { accept: 'application/json' } });
    return (await response.json()) as T;
  }
  const statusOf = async (id: number): Promise<string> => (await get<JobProgress>(`/jobs/${id}/status`)).status;
  const worker = async (over: NodeJS.ProcessEnv = {}): Promise<Program> => {
    const program = await startWorkerProcess({ ...env, TASKQ_WORKERS: '1', ...over });
    workers.push(program);
    return program;
  };
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(50)) if (await holds()) return;
    throw new Error(`it did not come to that:\n${[web, ...workers].map((program) => program.output()).join('\n')}`);
  };

  it('completes every job with the same report, though messages come twice and a worker is killed', async () => {
    const ids: number[] = [];
    for (let at = 0; at < jobs; at++) ids.push(await submit());
    for (const id of ids.slice(0, 8).toReversed()) {
      await aws.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: String(id) }));
    }
    expect(await statusOf(ids[0]!)).toBe('pending');

    const [doomed] = await Promise.all([worker(), worker()]);
    await until(async () => (await Promise.all(ids.map(statusOf))).includes('running'));
    await doomed.stop('SIGKILL');
    await until(async () => (await Promise.all(ids.map(statusOf))).every((status) => status === 'completed'));

    const reports = await Promise.all(ids.map((id) => get<ExportedFinding[]>(`/jobs/${id}/findings.json`)));
    const counts = reports.map((report) => report.map(({ rule_name: name, count }) => `${name} ${count}`).toSorted());
    expect(counts[0]).not.toHaveLength(0);
    for (const count of counts) expect(count).toEqual(counts[0]);

    await until(async () => (await aws.messages(queueUrl)) === 0);
    expect((await aws.dynamo.send(new ScanCommand({ TableName: 'tasks' }))).Items).toEqual([]);
  });

  it('has a large log taken over within a lease of the death of its worker, which the job says', async () => {
    await Promise.all(workers.splice(0).map((program) => program.stop('SIGKILL')));
    const log = join(folder, 'large.evtx');
    await writeBigLog(log);
    const id = await submit(log);
    expect([await aws.messages(queueUrl), await aws.messages(heavyUrl)]).toEqual([0, 1]);

    // It looks at the other lane only, and is no help.
    const fast = await worker({ TASKQ_LANES: 'fast' });
    const attempts = async (): Promise<number> =>
      Number((await aws.dynamo.send(new ScanCommand({ TableName: 'tasks' }))).Items?.[0]?.['attempts']?.N);
    const doomed = await worker({ TASKQ_LANES: 'heavy', ENGINE_THREADS: '1' });
    await until(async () => (await statusOf(id)) === 'running');
    await doomed.stop('SIGKILL');
    const from = performance.now();
    const next = await worker({ TASKQ_LANES: 'heavy', WORKER_IDLE_EXIT_SECONDS: '6' });
    await until(async () => (await attempts()) === 2);
    expect(performance.now() - from).toBeLessThan(leaseSeconds * 1000 + patienceMs);

    await until(async () => (await statusOf(id)) === 'completed');
    const { events, total_findings, delay } = await get<JobDetail>(`/jobs/${id}`);
    expect({ events, matches: total_findings, delay }).toEqual({ ...bigLog, delay: rerunTexts.interrupted });
    // Nothing more to do: that one ends by itself.
    await until(async () => !next.isRunning());
    expect(next.output()).toContain('the worker has ended');
    expect(fast.isRunning()).toBe(true);
  });
});
