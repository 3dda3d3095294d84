import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';

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

/** Clients of LocalStack, by the environment that it names. */
export function awsClients(env: Readonly<Record<string, string>>): { sqs: SQSClient; dynamo: DynamoDBClient } {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { AWS_ENDPOINT_URL: endpoint = '', AWS_REGION: region = '' } = env;
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  const options = { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  return { sqs: new SQSClient({ ...options, useQueueUrlAsEndpoint: false }), dynamo: new DynamoDBClient(options) };
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
