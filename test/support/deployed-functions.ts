import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { edgeHeaders } from '@svc/contracts';
import type { HttpResult } from '@svc/functions/http-event.ts';
import type { SQSBatchResponse } from 'aws-lambda';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { startLocalStack } from '../../localstack/host-mode.ts';
import { awsClients, awsResources } from './aws-resources.ts';
import { bodyOf, httpEvent, jsonPost, type Sent } from './http-events.ts';
import { startFunction, type LambdaInstance } from './lambda.ts';
import { openStandIn } from './stand-in.ts';

const edgeKey = 'the key of the edge';
/** What the edge says where the service is. */
export const host = 'logs.example.org';
/** What the edge sends beside a request. */
export const fromEdge = {
  [edgeHeaders.key]: edgeKey,
  [edgeHeaders.host]: host,
  [edgeHeaders.address]: '198.51.100.10',
};
const admin = { username: 'admin@example.org', password: 'correct horse battery' };

/** The bundles of the functions as Lambda runs them, over LocalStack's S3, SQS, DynamoDB and secrets. */
export type DeployedFunctions = Awaited<ReturnType<typeof deployFunctions>>;

/** @param folder - where they keep what they write */
export async function deployFunctions(folder: string) {
  const instances = new Map<string, LambdaInstance>();
  /** What functions have invoked without waiting for it. */
  const invoked: Promise<unknown>[] = [];
  const services = ['s3', 'secretsmanager', 'sqs', 'dynamodb'];
  const [database, localstack, lambda] = await Promise.all([
    makeServerDatabase({ isEmpty: true }),
    startLocalStack({ services, folder: join(folder, 'localstack') }),
    // LocalStack's needs Docker.
    openStandIn(({ path, body }, response) => {
      const name = /functions\/([\w-]+)\/invocations$/.exec(path)?.[1] ?? '';
      invoked.push(invoke(name, JSON.parse(body)));
      response.writeHead(202).end();
    }),
  ]);
  const { endpoint } = localstack;
  const { AWS_REGION: region = '' } = localstack.env;
  const client = { endpoint, region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  const clients = awsClients(localstack.env);
  const aws = awsResources(clients.sqs, clients.dynamo);
  const s3 = new S3Client({ ...client, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'uploads' }));
  const secret = async (name: string, fields: Record<string, string>): Promise<string> => {
    const secrets = new SecretsManagerClient(client);
    const { ARN } = await secrets.send(new CreateSecretCommand({ Name: name, SecretString: JSON.stringify(fields) }));
    secrets.destroy();
    return ARN!;
  };
  const keys = await secret('keys', { SECRET_KEY: randomBytes(32).toString('hex'), EDGE_KEY: edgeKey });
  const first = { ADMIN_EMAIL: admin.username, ADMIN_PASSWORD: admin.password };
  const administrator = await secret('administrator', first);
  const queues = { fast: await aws.queue('fast'), webhooks: await aws.queue('webhooks') };
  const env: Readonly<Record<string, string>> = {
    ...localstack.env,
    AWS_ENDPOINT_URL_LAMBDA: lambda.url,
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
    TASKQ_SQS_URL: queues.fast,
    WEBHOOK_SQS_URL: queues.webhooks,
    AI_FUNCTION: 'queue-ai',
    // Vendors' stand-ins are on this machine.
    ENRICHMENT_REQUIRE_PUBLIC_HOST: 'false',
    TASKQ_LEDGER_TABLE: await aws.ledger('tasks'),
  };
  /** The sender has no network of ours, no database and no secret (decision 103). */
  const environmentOf = (name: string): Readonly<Record<string, string>> =>
    name === 'queue-webhooks' ? { ...localstack.env, WEBHOOK_ANSWERS_SQS_URL: queues.fast } : env;

  async function invoke<R>(name: string, event: unknown): Promise<R> {
    const instance = instances.get(name) ?? (await startFunction(name, environmentOf(name)));
    instances.set(name, instance);
    return instance.invoke<R>(event);
  }
  const api = (area: string, method: string, path: string, { headers, ...sent }: Sent = {}) =>
    invoke<HttpResult>(`api-${area}`, httpEvent(method, path, { ...sent, headers: { ...fromEdge, ...headers } }));

  const login = (headers: Sent['headers']) =>
    api('auth', 'POST', '/auth/cookie/login', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(admin).toString(),
    });
  const origin = `https://${host}`;
  let cookies: readonly string[] | null = null;

  /** Asks as the first administrator, by POST where there are fields; throws what is refused. */
  async function asAdmin<T>(area: string, path: string, fields?: object): Promise<T> {
    cookies ??= (await login({ origin })).cookies!.map((each) => each.split(';')[0]!);
    const sent = { headers: { ...fromEdge, origin }, cookies };
    const { pathname, searchParams } = new URL(path, origin);
    const query = Object.fromEntries(searchParams);
    const event = fields ? jsonPost(path, fields, sent) : httpEvent('GET', pathname, { ...sent, query });
    const answer = await invoke<HttpResult>(`api-${area}`, event);
    if ((answer.statusCode ?? 500) >= 300) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
    return bodyOf(answer) as T;
  }

  /** Hands the messages of a queue to its function, as Lambda's event source does, until there are none. */
  async function drain(url: string, name: string): Promise<void> {
    for (;;) {
      const receive = new ReceiveMessageCommand({ QueueUrl: url, MessageSystemAttributeNames: ['All'] });
      const { Messages = [] } = await aws.sqs.send(receive);
      if (Messages.length === 0) return;
      const Records = Messages.map(({ MessageId, Body, ReceiptHandle, Attributes }) => ({
        messageId: MessageId,
        body: Body,
        receiptHandle: ReceiptHandle,
        attributes: Attributes,
      }));
      const { batchItemFailures } = await invoke<SQSBatchResponse>(name, { Records });
      if (batchItemFailures.length > 0) throw new Error(`${name} failed:\n${instances.get(name)?.output()}`);
      for (const { ReceiptHandle } of Messages)
        await aws.sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
    }
  }

  /** Runs what a deployment has ECS run before new code serves, by default with all secrets. */
  async function prepare(over: Readonly<Record<string, string>> = {}): Promise<{ code: unknown; output: string }> {
    const program = join(projectRoot(), 'dist/worker/prepare.mjs');
    const secrets = { SECRETS_MANAGER_IDS: `${keys},${administrator}` };
    const child = spawn(process.execPath, [program], { env: { PATH: process.env.PATH, ...env, ...secrets, ...over } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const [code] = (await once(child, 'close')) as [unknown];
    return { code, output };
  }

  return {
    admin,
    endpoint,
    s3,
    invoke,
    invoked,
    api,
    login,
    asAdmin,
    prepare,
    post: (area: string, path: string, fields: unknown) =>
      invoke<HttpResult>(`api-${area}`, jsonPost(path, fields, { headers: fromEdge })),
    /** All that waits in the fast lane. */
    work: () => drain(queues.fast, 'queue-analyze'),
    /** All that waits for the sender of webhooks. */
    sendWebhooks: () => drain(queues.webhooks, 'queue-webhooks'),
    /** What a function has printed. */
    output: (name: string): string => instances.get(name)?.output() ?? '',
    stop: async (): Promise<void> => {
      await Promise.all([...instances.values()].map((instance) => instance.stop()));
      for (const each of [s3, aws.sqs, aws.dynamo]) each.destroy();
      lambda.close();
      await localstack.stop();
    },
  };
}
