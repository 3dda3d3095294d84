import { usePorts } from '@svc/adapters/compose.ts';
import type { OneTimeTask } from '@svc/application/ports/one-time-tasks.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';

let tasks: OneTimeTask[];
const oneTimeTasks: Ports['oneTimeTasks'] = {
  list: async () => tasks,
  begin: async (request, program) => {
    expect(program).toBe('migrations:7');
    tasks.push({ request, state: 'runs', id: `task-of-${request}`, reason: null });
  },
};
usePorts({ oneTimeTasks });
const { handler } = await import('./migrate.ts');

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  tasks = [];
});
afterAll(() => vi.unstubAllEnvs());

const ResourceProperties = {
  TaskDefinition: 'migrations:7',
  LogGroup: '/svc/a b',
  StreamPrefix: 'migrations/migrations/',
};
const ask = (RequestType: 'Create' | 'Update' | 'Delete', RequestId = 'r1') =>
  handler({ RequestType, RequestId, ResourceProperties });
const answer = (IsComplete: boolean): object => ({ PhysicalResourceId: 'migrations', IsComplete });
const ends = (state: 'done' | 'failed', reason: string): void =>
  void (tasks = tasks.map((task) => ({ ...task, state, reason })));

it('has CloudFormation wait until the task has done its work', async () => {
  expect(await ask('Create')).toEqual(answer(false));
  expect(await ask('Create')).toEqual(answer(false));
  expect(tasks).toHaveLength(1);
  ends('done', 'Essential container in task exited, exit code 0');
  expect(await ask('Create')).toEqual(answer(true));
  expect(await ask('Update', 'r2')).toEqual(answer(false));
});

it('tells CloudFormation why the task stopped, and where its log is', async () => {
  await ask('Update');
  ends('failed', 'Essential container in task exited, exit code 1');
  await expect(ask('Update')).rejects.toThrow(
    'The database could not be brought up to date. Essential container in task exited, exit code 1. ' +
      'https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1' +
      '#logsV2:log-groups/log-group/$252Fsvc$252Fa$2520b/log-events/migrations$252Fmigrations$252Ftask-of-r1',
  );
});

it('leaves the database as it is when the stack goes', async () => {
  expect(await ask('Delete')).toEqual(answer(true));
  expect(tasks).toEqual([]);
});
