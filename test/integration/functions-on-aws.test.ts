import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { ExportedFinding, JobProgress, SubmittedJob, UploadTicket } from '@svc/contracts';
import { edgeHeaders } from '@svc/contracts';
import type { HttpResult } from '@svc/functions/http-event.ts';
import type { SQSBatchResponse } from 'aws-lambda';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocalStack, type LocalStack } from '../../localstack/host-mode.ts';
import { startAwsEmulators, type AwsEmulators } from '../support/aws-emulators.ts';
import { bodyOf, httpEvent, jsonPost, refusal, type Sent } from '../support/http-events.ts';
import { startFunction, type LambdaInstance } from '../support/lambda.ts';
import { formType, uploadForm } from '../support/multipart.ts';
import { describeWith } from '../support/programs.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
const region = 'us-east-1';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const admin = { username: 'admin@example.org', password: 'correct horse battery' };
const edgeKey = 'the key of the edge';
const host = 'logs.example.org';
const fromEdge = { [edgeHeaders.key]: edgeKey, [edgeHeaders.host]: host, [edgeHeaders.address]: '198.51.100.10' };

describeWith('postgres', 'the bundles of the functions', () => {
  describeWith('s3', 'as Lambda runs them', () => {
    let folder = '';
    let database: string;
    let localstack: LocalStack;
    let aws: AwsEmulators;
    let s3: S3Client;
    let queueUrl = '';
    let env: Record<string, string> = {};
    const instances = new Map<string, LambdaInstance>();

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-functions-'));
      [database, aws, localstack] = await Promise.all([
        makeServerDatabase({ isEmpty: true }),
        startAwsEmulators(),
        startLocalStack({ services: ['s3', 'secretsmanager'], folder: join(folder, 'localstack'), region }),
      ]);
      const { endpoint } = localstack;
      s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
      await s3.send(new CreateBucketCommand({ Bucket: 'uploads' }));
      queueUrl = await aws.queue('fast');
      const keys = await secret(endpoint, 'keys', { SECRET_KEY: '0123456789abcdef'.repeat(4), EDGE_KEY: edgeKey });
      env = {
        ...(aws.env as Record<string, string>),
        AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
        SECRETS_MANAGER_IDS: keys,
        DATABASE_URL: database,
        DB_POOL_SIZE: '2',
        DB_MAX_OVERFLOW: '0',
        AUTO_MIGRATE: 'false',
        DATA_DIR: join(folder, 'tmp'),
        LOG_FORMAT: 'json',
        STORAGE_BACKEND: 's3',
        S3_BUCKET: 'uploads',
        S3_ENDPOINT: endpoint,
        S3_PUBLIC_ENDPOINT: endpoint,
        TASKQ_SQS_URL: queueUrl,
        TASKQ_LEDGER_TABLE: await aws.ledger('tasks'),
      };
      const first = { ADMIN_EMAIL: admin.username, ADMIN_PASSWORD: admin.password };
      env['DEPLOY_SECRETS'] = `${keys},${await secret(endpoint, 'administrator', first)}`;
    });
    afterAll(async () => {
      await Promise.all([...instances.values()].map((instance) => instance.stop()));
      s3.destroy();
      await Promise.all([aws.stop(), localstack.stop()]);
      await rm(folder, { recursive: true, force: true });
    });

    async function secret(endpoint: string, name: string, fields: Record<string, string>): Promise<string> {
      const client = new SecretsManagerClient({ endpoint, region, credentials });
      const { ARN } = await client.send(new CreateSecretCommand({ Name: name, SecretString: JSON.stringify(fields) }));
      client.destroy();
      return ARN!;
    }

    async function invoke<R>(name: string, event: unknown, over: Record<string, string> = {}): Promise<R> {
      const instance = instances.get(name) ?? (await startFunction(name, { ...env, ...over }));
      instances.set(name, instance);
      return instance.invoke<R>(event);
    }
    const api = (area: string, method: string, path: string, { headers, ...sent }: Sent = {}) =>
      invoke<HttpResult>(`api-${area}`, httpEvent(method, path, { ...sent, headers: { ...fromEdge, ...headers } }));
    const post = (area: string, path: string, fields: unknown, headers: Sent['headers'] = {}) =>
      invoke<HttpResult>(`api-${area}`, jsonPost(path, fields, { headers: { ...fromEdge, ...headers } }));

    /** Runs what a deployment has ECS run before new code serves. */
    async function prepared(over: Record<string, string>): Promise<{ code: unknown; output: string }> {
      const program = join(projectRoot(), 'dist/worker/prepare.mjs');
      const child = spawn(process.execPath, [program], {
        env: { PATH: process.env.PATH, AWS_REGION: region, ...over },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
      const [code] = (await once(child, 'close')) as [unknown];
      return { code, output };
    }

    it('say in a sentence why a database cannot be migrated', async () => {
      const away = { ...env, DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' };
      const { code, output } = await prepared(away);
      expect(code).toBe(1);
      expect(output.trim().split('\n').at(-1)).toMatch(/database.*ECONNREFUSED/i);
    });

    it('prepare the installation, as often as they are deployed', async () => {
      const behind = await api('system', 'GET', '/health');
      expect(behind).toMatchObject({ statusCode: 503 });
      expect(bodyOf(behind)).toMatchObject({ database: 'ok', storage: 'ok', migrations: 'pending' });
      const over = { SECRETS_MANAGER_IDS: env['DEPLOY_SECRETS'] ?? '' };
      const [first, again] = [await prepared({ ...env, ...over }), await prepared({ ...env, ...over })];
      expect([first.code, again.code]).toEqual([0, 0]);
      const output = first.output + again.output;
      expect(output.match(/created the first administrator/g)).toHaveLength(1);
      expect(output).not.toMatch(/"level":"error"/);
      expect(output).not.toContain(admin.password);
      await new Promise((resolve) => setTimeout(resolve, 2100));
      expect(bodyOf(await api('system', 'GET', '/health'))).toMatchObject({ status: 'ok', migrations: 'at_head' });
    });

    it('sign in by a form, for the host that the edge names', async () => {
      const login = (headers: Sent['headers']) =>
        api('auth', 'POST', '/auth/cookie/login', {
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams(admin).toString(),
        });
      const signedIn = await login({ origin: `https://${host}` });
      expect(signedIn.statusCode).toBe(204);
      expect(signedIn.cookies?.[0]).toMatch(/^svc_auth=.+; Secure$/);
      expect(refusal(await login({ origin: 'https://elsewhere.example.org' }))).toEqual([403, 'csrf']);
      const cookies = [signedIn.cookies![0]!.split(';')[0]!];
      expect(bodyOf(await api('auth', 'GET', '/api/users/me', { cookies }))).toMatchObject({ role: 'admin' });
    });

    it('refuse what has gone past the edge, and what they do not know', async () => {
      for (const key of ['', 'another key']) {
        const past = await api('jobs', 'GET', '/jobs', { headers: { [edgeHeaders.key]: key } });
        expect(refusal(past)).toEqual([403, 'forbidden']);
      }
      expect(refusal(await api('jobs', 'GET', '/jobs/77'))).toEqual([404, 'not_found']);
      const wrong = await api('submissions', 'PUT', '/api/v1/jobs');
      expect(refusal(wrong)).toEqual([405, 'method_not_allowed']);
      expect(wrong.headers).toMatchObject({ allow: 'GET, POST' });
      expect((await api('jobs', 'HEAD', '/jobs')).statusCode).toBe(200);
    });

    it('take a small file in a form, and tell where a large one goes', async () => {
      const send = (form: Buffer, declared: number) =>
        invoke<HttpResult>('api-submissions', {
          ...httpEvent('POST', '/upload', {
            headers: { ...fromEdge, 'content-type': formType, 'content-length': String(declared) },
            body: form.toString('base64'),
          }),
          isBase64Encoded: true,
        });
      const form = uploadForm('1', 3_000_000);
      const accepted = await send(form, form.length);
      expect(accepted.statusCode).toBe(202);
      const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: 'uploads' }));
      expect(KeyCount).toBeGreaterThan(0);
      const refused = await send(form, 5_000_000);
      expect(refusal(refused)).toEqual([413, 'too_large']);
      expect(refused.body).toContain('POST /api/v1/uploads');
    });

    it('carry a file from its slot to its findings', async () => {
      const id = await analysed('Powershell.evtx', await readFile(sample));
      const findings = bodyOf(await api('report', 'GET', `/jobs/${id}/findings.json`)) as ExportedFinding[];
      expect(findings.length).toBeGreaterThan(0);
    });

    it('hand over by the store what is too large for Lambda', async () => {
      const scripts = Array.from({ length: 8 }, (_, at) => ({
        Channel: 'Microsoft-Windows-PowerShell/Operational',
        EventID: 4104,
        Provider_Name: 'Microsoft-Windows-PowerShell',
        Computer: 'ws1.example.org',
        EventRecordID: at + 1,
        TimeCreated: new Date(Date.UTC(2026, 7, 1, 0, at)).toISOString(),
        ScriptBlockText: 'Send-MailMessage -To a@example.org -Attachments a.zip',
        Attachment: randomBytes(600_000).toString('base64'),
      }));
      const log = Buffer.from(scripts.map((script) => JSON.stringify(script)).join('\n'));
      const path = `/jobs/${await analysed('scripts.json', log)}/findings.json`;
      const answer = await api('report', 'GET', path);
      expect([answer.statusCode, answer.body]).toEqual([303, undefined]);
      const link = String(answer.headers?.['location']);
      expect(new URL(link).origin).toBe(localstack.endpoint);
      const handed = await fetch(link);
      const disposition = handed.headers.get('content-disposition');
      expect([handed.status, handed.headers.get('content-type'), disposition]).toEqual([
        200,
        'application/json',
        expect.stringContaining('attachment') as unknown,
      ]);
      const findings = (await handed.json()) as ExportedFinding[];
      const sent = new Set(findings.flatMap(({ details }) => details.map((event) => event['Attachment'])));
      expect(scripts.filter(({ Attachment }) => !sent.has(Attachment))).toHaveLength(0);
    });

    /** Sends a file as pages do, into a slot of the store, and has it analysed: the job's id. */
    async function analysed(filename: string, log: Buffer): Promise<number> {
      const reserved = await post('submissions', '/uploads', {
        filename,
        size_bytes: log.length,
        sha256: createHash('sha256').update(log).digest('hex'),
      });
      expect(reserved.statusCode).toBe(201);
      const ticket = bodyOf(reserved) as UploadTicket;
      expect(new URL(ticket.url).origin).toBe(localstack.endpoint);
      const sent = await fetch(ticket.url, { method: 'PUT', headers: ticket.headers, body: new Uint8Array(log) });
      expect(sent.status).toBe(200);
      const submitted = await post('submissions', '/upload', { workflow_id: 1, upload_id: ticket.upload_id });
      expect(submitted.statusCode).toBe(202);
      const { job_id: id } = bodyOf(submitted) as SubmittedJob;
      await drainQueue();
      const progress = bodyOf(await api('jobs', 'GET', `/jobs/${id}/status`)) as JobProgress;
      expect(progress.status).toBe('completed');
      return id;
    }

    /** Hands the messages of the fast lane to its function, as Lambda's event source does. */
    async function drainQueue(): Promise<void> {
      for (;;) {
        const { Messages = [] } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl }));
        if (Messages.length === 0) return;
        const Records = Messages.map(({ MessageId, Body, ReceiptHandle }) => ({
          messageId: MessageId,
          body: Body,
          receiptHandle: ReceiptHandle,
        }));
        expect(await invoke<SQSBatchResponse>('queue-analyze', { Records })).toEqual({ batchItemFailures: [] });
      }
    }

    it('do the periodic tasks', async () => {
      const kinds = ['job-recovery', 'expired-uploads', 'token-prune'];
      for (const kind of kinds) expect(await invoke('queue-maintenance', { kind })).toBeNull();
      await expect(invoke('queue-maintenance', { kind: 'no-such-task' })).rejects.toThrow('There is no task');
      const output = instances.get('queue-maintenance')?.output() ?? '';
      const lines = output.split('\n').filter((line) => line.startsWith('{'));
      const outcomes = lines.map((line) => JSON.parse(line) as { message: string; task?: string; outcome?: string });
      expect(outcomes.filter(({ outcome }) => outcome === 'completed').map(({ task }) => task)).toEqual(kinds);
    });
  });
});
