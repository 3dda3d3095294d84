import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import dynalite from 'dynalite';
import { startFauxqs } from 'fauxqs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { awsResources, type AwsResources } from './aws-resources.ts';

const region = 'us-east-1';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

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
