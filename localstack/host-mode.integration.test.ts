import { analysisOf } from '@svc/contracts/tasks.ts';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SqsLanes } from '@svc/adapters/aws/sqs-lanes.ts';
import { DynamoTaskLedger } from '@svc/adapters/aws/task-ledger.ts';
import { SqsTaskQueue } from '@svc/adapters/aws/task-queue.ts';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { awsClients, awsResources, type AwsResources } from '../test/support/aws-resources.ts';
import { describeWith } from '../test/support/programs.ts';
import { startLocalStack, type LocalStack } from './host-mode.ts';

describeWith('s3', 'LocalStack without Docker', () => {
  describeWith('dynamodb', 'with a DynamoDB that nobody downloads', () => {
    let folder = '';
    let localstack: LocalStack;
    let aws: AwsResources;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-localstack-'));
      localstack = await startLocalStack({ services: ['sqs', 'dynamodb'], folder });
      const { sqs, dynamo } = awsClients(localstack.env);
      aws = awsResources(sqs, dynamo);
    });
    afterAll(async () => {
      await localstack.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('hands out each task of a queue once, under leases in a table', async () => {
      const [queueUrl, table] = [await aws.queue('analyses'), await aws.ledger('tasks')];
      const ledger = new DynamoTaskLedger(DynamoDBDocumentClient.from(aws.dynamo), table, 60);
      const queues = new SqsLanes(aws.sqs, { fast: queueUrl, heavy: null, sweep: null, dead: null });
      const queue = new SqsTaskQueue(queues, ledger, { leaseSeconds: 60, lanes: ['fast'] });
      const jobs = Array.from({ length: 20 }, (_, at) => at + 1);
      await Promise.all(jobs.map((jobId) => queue.enqueue(analysisOf(jobId))));
      await Promise.all(
        jobs
          .slice(0, 5)
          .map((jobId) => aws.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: String(jobId) }))),
      );
      const finished: number[] = [];
      const work = async (worker: string): Promise<void> => {
        for (let lease = await queue.receive({ worker, waitMs: 2000 }); lease;) {
          if (lease.task.kind === 'run_analysis') finished.push(lease.task.jobId);
          await queue.acknowledge(lease);
          lease = await queue.receive({ worker, waitMs: 2000 });
        }
      };
      await Promise.all(['a', 'b', 'c'].map(work));
      expect(finished.toSorted((a, b) => a - b)).toEqual(jobs);
      expect((await aws.dynamo.send(new ScanCommand({ TableName: table }))).Count).toBe(0);
    });

    it('leaves no process behind when it is stopped', async () => {
      expect(processes(folder)).not.toEqual([]);
      await localstack.stop();
      expect(processes(folder)).toEqual([]);
    });
  });
});

/** Those that name the folder in their environment. */
function processes(folder: string): string[] {
  const listed = execFileSync('ps', ['eww', '-A', '-o', 'pid,args'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return listed.split('\n').filter((line) => line.includes(`FILESYSTEM_ROOT=${folder}`));
}
