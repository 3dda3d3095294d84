import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { lazyWorkerLauncher } from './lazy-worker-launcher.ts';

// No emulator that could be installed here has ECS tasks without instances, or functions without Docker; this one
// speaks the two protocols as far as the launcher does, with the rules of ECS about client tokens.
let server: Server;
let url = '';
/** Tasks of the cluster by their ARNs; false for those that have stopped. */
const tasks = new Map<string, boolean>();
const tokens = new Map<string, { count: number; arns: string[] }>();
const runs: Record<string, unknown>[] = [];
const invoked: string[] = [];
let capacity = Infinity;

interface Input {
  readonly family?: string;
  readonly nextToken?: string;
  readonly count?: number;
  readonly clientToken?: string;
}

function listTasks({ family, nextToken = '0' }: Input): object {
  const running = [...tasks].filter(([arn, isRunning]) => isRunning && arn.includes(`/${family}-`)).map(([arn]) => arn);
  const from = Number(nextToken);
  const more = running.length > from + 3 ? { nextToken: String(from + 3) } : {};
  return { taskArns: running.slice(from, from + 3), ...more };
}

function runTask(input: Input): [number, object] {
  const { count = 1, clientToken = '' } = input;
  const earlier = tokens.get(clientToken);
  if (earlier && earlier.count !== count) {
    return [400, { __type: 'ConflictException', message: 'in use', resourceIds: earlier.arns }];
  }
  if (!earlier) {
    runs.push({ ...input });
    const started = Math.max(0, Math.min(count, capacity - tasks.size));
    const arns = Array.from({ length: started }, () => `arn:aws:ecs:::task/c/worker-${tasks.size + Math.random()}`);
    arns.forEach((arn) => tasks.set(arn, true));
    tokens.set(clientToken, { count, arns });
  }
  const { arns } = tokens.get(clientToken)!;
  const failures = arns.length < count ? [{ reason: 'RESOURCE:FARGATE', detail: 'no capacity' }] : [];
  return [200, { tasks: arns.map((taskArn) => ({ taskArn })), failures }];
}

async function answer(request: IncomingMessage): Promise<[number, object]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const target = String(request.headers['x-amz-target']);
  const path = request.url ?? '';
  if (path.endsWith('/invocations')) {
    invoked.push(`${path} ${String(request.headers['x-amz-invocation-type'])}`);
    return [202, {}];
  }
  const input = JSON.parse(Buffer.concat(chunks).toString()) as Input;
  if (target.endsWith('.ListTasks')) return [200, listTasks(input)];
  return runTask(input);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const reply = async (): Promise<void> => {
      const [status, body] = await answer(request);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    };
    void reply();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_ENDPOINT_URL', url);
  // One minute, however long a test takes.
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const state of [tasks, tokens]) state.clear();
  runs.length = invoked.length = 0;
  capacity = Infinity;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const fargate = {
  cluster: 'c',
  taskDefinition: 'arn:aws:ecs:us-east-1:1:task-definition/worker:7',
  subnets: ['subnet-1', 'subnet-2'],
  securityGroups: ['sg-1'],
};
const launcher = () => lazyWorkerLauncher({ dispatcher: 'dispatch', fargate }, silentLog);

it('starts tasks of the worker, and counts those that are to run', async () => {
  const ecs = launcher();
  tasks.set('arn:aws:ecs:::task/c/other-1', true);
  expect(await ecs.running()).toBe(0);
  expect(await ecs.start(4)).toBe(4);
  expect(await ecs.running()).toBe(4);
  tasks.set([...tasks.keys()][1]!, false);
  expect(await ecs.running()).toBe(3);
  expect(runs).toMatchObject([
    {
      cluster: 'c',
      taskDefinition: fargate.taskDefinition,
      count: 4,
      networkConfiguration: {
        awsvpcConfiguration: { subnets: fargate.subnets, securityGroups: ['sg-1'], assignPublicIp: 'DISABLED' },
      },
    },
  ]);
  // The capacity is the cluster's to choose.
  expect(runs[0]).not.toHaveProperty('launchType');
  await ecs.close();
});

it('asks for no more than ten at once', async () => {
  const ecs = launcher();
  await ecs.running();
  expect(await ecs.start(23)).toBe(23);
  expect(runs.map(({ count }) => count)).toEqual([10, 10, 3]);
  await ecs.close();
});

it('starts one set for dispatchers that come together, whatever each wants', async () => {
  const [one, two, three] = [launcher(), launcher(), launcher()];
  await Promise.all([one.running(), two.running(), three.running()]);
  expect(await one.start(2)).toBe(2);
  expect(await two.start(2)).toBe(2);
  expect(await three.start(3)).toBe(2);
  expect(tasks.size).toBe(2);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await three.running()).toBe(2);
  expect(await three.start(1)).toBe(1);
  expect(tasks.size).toBe(3);
  await Promise.all([one, two, three].map((each) => each.close()));
});

it('says how many could be started', async () => {
  const ecs = launcher();
  capacity = 2;
  await ecs.running();
  expect(await ecs.start(5)).toBe(2);
  await ecs.close();
});

it('wakes the dispatcher without waiting for what it does', async () => {
  const waker = lazyWorkerLauncher({ dispatcher: 'svc-dispatch', fargate: null }, silentLog);
  await waker.wake();
  expect(invoked).toEqual(['/2015-03-31/functions/svc-dispatch/invocations Event']);
  await expect(waker.running()).rejects.toThrow('WORKER_CLUSTER');
  await waker.close();
});

it('wakes nobody where no dispatcher is named', async () => {
  const alone = lazyWorkerLauncher({ dispatcher: null, fargate }, silentLog);
  await alone.wake();
  expect(invoked).toEqual([]);
  await alone.close();
});
