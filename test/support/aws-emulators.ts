import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import dynalite from 'dynalite';
import { startFauxqs } from 'fauxqs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const region = 'us-east-1';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Makes queues and tables where the clients lead. */
export interface AwsResources {
  readonly sqs: SQSClient;
  readonly dynamo: DynamoDBClient;
  /** Makes an empty queue; returns its URL. */
  queue(name: string, attributes?: Record<string, string>): Promise<string>;
  arnOf(queueUrl: string): Promise<string>;
  /** Messages of a queue that wait or are with somebody. */
  messages(queueUrl: string): Promise<number>;
  /** Makes an empty table of tasks; returns its name. */
  ledger(name: string): Promise<string>;
}

/** SQS and DynamoDB of this test alone, in memory. */
export interface AwsEmulators extends AwsResources {
  /** What the AWS SDK of another process must know. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startAwsEmulators(): Promise<AwsEmulators> {
  const queues = await startFauxqs({ port: 0, logger: false });
  const tables = dynalite({ createTableMs: 0 });
  tables.listen(0, '127.0.0.1');
  await once(tables, 'listening');
  const { port } = tables.address() as AddressInfo;
  const endpoints = { sqs: `http://127.0.0.1:${queues.port}`, dynamo: `http://127.0.0.1:${port}` };
  const sqs = new SQSClient({ region, credentials, endpoint: endpoints.sqs });
  const dynamo = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamo });
  return {
    ...awsResources(sqs, dynamo),
    env: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamo,
    },
    stop: async () => {
      sqs.destroy();
      dynamo.destroy();
      await queues.stop();
      tables.close();
    },
  };
}

export function awsResources(sqs: SQSClient, dynamo: DynamoDBClient): AwsResources {
  const attributesOf = async (queueUrl: string): Promise<Record<string, string>> =>
    (await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }))).Attributes ?? {};
  return {
    sqs,
    dynamo,
    queue: async (name, attributes = {}) => {
      const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
      return QueueUrl!;
    },
    arnOf: async (queueUrl) => (await attributesOf(queueUrl))['QueueArn']!,
    messages: async (queueUrl) => {
      const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: hidden } =
        await attributesOf(queueUrl);
      return Number(waiting) + Number(hidden);
    },
    ledger: async (name) => {
      await dynamo.send(
        new CreateTableCommand({
          TableName: name,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'jobId', AttributeType: 'N' }],
          KeySchema: [{ AttributeName: 'jobId', KeyType: 'HASH' }],
        }),
      );
      await waitUntilTableExists(
        { client: dynamo, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.2 },
        { TableName: name },
      );
      return name;
    },
  };
}
