import { DescribeTasksCommand, ECSClient, ListTasksCommand, RunTaskCommand, type Task } from '@aws-sdk/client-ecs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, it } from 'vitest';
import { FargateTasks } from './fargate-tasks.ts';

const client = new ECSClient({ region: 'us-east-1' });
const ecs = mockClient(client);
beforeEach(() => ecs.reset());

const tasks = new FargateTasks(client, {
  cluster: 'c',
  subnets: ['subnet-1'],
  securityGroups: ['sg-1'],
});
const arn = (id: string): string => `arn:aws:ecs:us-east-1:1:task/c/${id}`;

/** How a task that ECS describes so is told of. */
async function told(task: Task): Promise<unknown> {
  ecs.on(ListTasksCommand, { desiredStatus: 'RUNNING' }).resolves({ taskArns: [] });
  ecs.on(ListTasksCommand, { desiredStatus: 'STOPPED' }).resolves({ taskArns: [arn('1')] });
  ecs.on(DescribeTasksCommand).resolves({ tasks: [{ taskArn: arn('1'), startedBy: 'r', ...task }] });
  const [one, ...more] = await tasks.list();
  expect(more).toEqual([]);
  return one;
}

it.each<[string, Task, object]>([
  ['waits for its image', { lastStatus: 'PROVISIONING' }, { state: 'runs', reason: null }],
  ['works', { lastStatus: 'RUNNING' }, { state: 'runs', reason: null }],
  // Its container has ended, and ECS still takes its network away.
  ['is being taken down', { lastStatus: 'DEPROVISIONING', containers: [{ exitCode: 0 }] }, { state: 'runs' }],
  [
    'has done its work',
    { lastStatus: 'STOPPED', stoppedReason: 'Essential container in task exited', containers: [{ exitCode: 0 }] },
    { state: 'done', reason: 'Essential container in task exited, exit code 0' },
  ],
  [
    'has failed',
    { lastStatus: 'STOPPED', stoppedReason: 'Essential container in task exited', containers: [{ exitCode: 1 }] },
    { state: 'failed', reason: 'Essential container in task exited, exit code 1' },
  ],
  [
    'never got its image',
    { lastStatus: 'STOPPED', stoppedReason: 'CannotPullContainerError: not found', containers: [{}] },
    { state: 'failed', reason: 'CannotPullContainerError: not found' },
  ],
  [
    'ran out of memory',
    {
      lastStatus: 'STOPPED',
      stoppedReason: 'OutOfMemoryError',
      containers: [{ exitCode: 137, reason: 'OutOfMemoryError: Container killed due to memory usage' }],
    },
    {
      state: 'failed',
      reason: 'OutOfMemoryError, exit code 137 (OutOfMemoryError: Container killed due to memory usage)',
    },
  ],
])('tells of a task that %s', async (_what, task, expected) =>
  expect(await told(task)).toMatchObject({ request: 'r', id: '1', ...expected }),
);

it('describes as many as there are, a hundred at a time', async () => {
  const taskArns = Array.from({ length: 150 }, (_, index) => arn(String(index)));
  ecs.on(ListTasksCommand, { desiredStatus: 'RUNNING' }).resolves({});
  ecs.on(ListTasksCommand, { desiredStatus: 'STOPPED' }).resolves({ taskArns });
  ecs.on(DescribeTasksCommand).callsFake(({ tasks: asked }: { tasks: string[] }) => ({
    tasks: asked.map((taskArn) => ({ taskArn, lastStatus: 'RUNNING' })),
  }));
  expect((await tasks.list()).map(({ id }) => Number(id))).toEqual(taskArns.map((_, index) => index));
  expect(ecs.commandCalls(DescribeTasksCommand)).toHaveLength(2);
});

it('begins one for a request by a token, so that ECS knows it when it comes again', async () => {
  ecs.on(RunTaskCommand).resolves({ tasks: [{ taskArn: arn('1') }] });
  await tasks.begin('request-1', 'migrations:7');
  expect(ecs.commandCalls(RunTaskCommand)[0]?.args[0].input).toMatchObject({
    cluster: 'c',
    taskDefinition: 'migrations:7',
    launchType: 'FARGATE',
    clientToken: 'request-1',
    startedBy: 'request-1',
  });
});

it('says why none can be begun', async () => {
  ecs.on(RunTaskCommand).resolves({ failures: [{ reason: 'RESOURCE:ENI', detail: 'no address left' }] });
  await expect(tasks.begin('r', 'm:7')).rejects.toThrow('ECS cannot start the task: RESOURCE:ENI (no address left)');
  ecs.on(RunTaskCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
  await expect(tasks.begin('r', 'm:7')).rejects.toThrow('no');
});
