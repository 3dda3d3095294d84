import type { Log } from '@svc/application/ports/log.ts';
import { ConflictException, ECSClient, ListTasksCommand, RunTaskCommand } from '@aws-sdk/client-ecs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, it } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { FargateWorkers } from './fargate-workers.ts';

// What ECS answers when it cannot: the way of a launch that goes well is in worker-launcher.test.ts, over HTTP.
const client = new ECSClient({ region: 'us-east-1' });
const ecs = mockClient(client);
beforeEach(() => ecs.reset());

const options = { cluster: 'c', taskDefinition: 'worker:7', subnets: ['subnet-1'], securityGroups: ['sg-1'] };
const tasks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ taskArn: `arn:aws:ecs:::task/${index}` }));
const refused = (name: string) => Object.assign(new Error(name), { name });

it('asks for no more once a request was met in part, and tells the reason of each task that is lacking', async () => {
  const told: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_message, fields) => void told.push(fields) };
  ecs
    .on(RunTaskCommand)
    .resolvesOnce({ tasks: tasks(10) })
    .resolvesOnce({
      tasks: tasks(4),
      failures: [{ reason: 'RESOURCE:FARGATE', detail: 'no capacity' }, { reason: 'RESOURCE:ENI' }],
    })
    .rejects(refused('asked a third time'));
  expect(await new FargateWorkers(client, options, log).start(23)).toBe(14);
  expect(told).toEqual([
    { reason: 'RESOURCE:FARGATE', detail: 'no capacity' },
    { reason: 'RESOURCE:ENI', detail: undefined },
  ]);
});

it('counts what another dispatcher has started, also where ECS does not name it', async () => {
  const common = { $metadata: {}, message: 'the token is taken' };
  ecs
    .on(RunTaskCommand)
    .rejectsOnce(new ConflictException({ ...common, resourceIds: ['a', 'b'] }))
    .rejects(new ConflictException(common));
  const workers = new FargateWorkers(client, options, silentLog);
  expect(await workers.start(3)).toBe(2);
  expect(await workers.start(3)).toBe(0);
});

it.each(['AccessDeniedException', 'ClusterNotFoundException', 'ThrottlingException'])(
  'does not take %s for an answer',
  async (name) => {
    ecs.on(RunTaskCommand).rejects(refused(name));
    ecs
      .on(ListTasksCommand)
      .resolvesOnce({ taskArns: ['a'], nextToken: 'more' })
      .rejects(refused(name));
    const workers = new FargateWorkers(client, options, silentLog);
    await expect(workers.start(1)).rejects.toThrow(name);
    // A list that breaks off would count too few, and have too many started.
    await expect(workers.running()).rejects.toThrow(name);
  },
);
