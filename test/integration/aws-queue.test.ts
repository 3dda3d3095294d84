import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { ExportedFinding, JobProgress, SubmittedJob } from '@svc/contracts';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAwsEmulators, type AwsEmulators } from '../support/aws-emulators.ts';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';
import { describeWith } from '../support/programs.ts';
import { startServer, startWorkerProcess, type Program, type Server } from '../support/server.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
const jobs = 12;

describeWith('postgres', 'analyses queued in SQS and leased in DynamoDB', () => {
  let folder = '';
  let database: PostgresServer;
  let aws: AwsEmulators;
  let queueUrl = '';
  let env: NodeJS.ProcessEnv = {};
  let web: Server;
  const workers: Program[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-aws-'));
    [database, aws] = await Promise.all([startPostgres(), startAwsEmulators()]);
    queueUrl = await aws.queue('analyses');
    env = {
      ...aws.env,
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: '0123456789abcdef'.repeat(4),
      TASKQ_SQS_URL: queueUrl,
      TASKQ_LEDGER_TABLE: await aws.ledger('tasks'),
      WORKER_HEARTBEAT_INTERVAL: '1',
      WORKER_HEARTBEAT_TTL: '3',
      UPLOAD_RATE_LIMIT_PER_MINUTE: '0',
    };
    web = await startServer({ dataDir: join(folder, 'data'), env: { ...env, TASKQ_WORKERS: '0' } });
  });
  afterAll(async () => {
    await Promise.all([web, ...workers].map((program) => program.stop('SIGKILL')));
    await Promise.all([database.remove(), aws.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  async function submit(): Promise<number> {
    const form = new FormData();
    form.set('workflow_id', '1');
    form.set('force_resubmit', 'true');
    form.set('file', await openAsBlob(sample), 'log.evtx');
    const response = await fetch(`${web.url}/upload`, { method: 'POST', body: form });
    expect(response.status).toBe(202);
    return ((await response.json()) as SubmittedJob).job_id;
  }
  async function get<T>(path: string): Promise<T> {
    const response = await fetch(web.url + path, { headers: { accept: 'application/json' } });
    return (await response.json()) as T;
  }
  const statusOf = async (id: number): Promise<string> => (await get<JobProgress>(`/jobs/${id}/status`)).status;
  const worker = async (): Promise<Program> => {
    const program = await startWorkerProcess({ ...env, TASKQ_WORKERS: '1' });
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

    await until(async () => (await messages()) === 0);
    expect((await aws.dynamo.send(new ScanCommand({ TableName: 'tasks' }))).Items).toEqual([]);
  });

  async function messages(): Promise<number> {
    const { Attributes } = await aws.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
    );
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: hidden } = Attributes ?? {};
    return Number(waiting) + Number(hidden);
  }
});
