import {
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  RunTaskCommand,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { EngineFailure, EngineUnavailable } from '@svc/application/ports/detection-engine.ts';
import type { EngineCommand, EngineRunner } from '@svc/application/ports/engine-runner.ts';
import { readEnvironment } from '@svc/config';
import { mockClient } from 'aws-sdk-client-mock';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { FargateEngines } from './fargate-engines.ts';
import { lazyFargateEngines } from './lazy-fargate-engines.ts';

// What ECS refuses; how a run goes with S3 and the entry of the images is in test/integration/fargate-engines.test.ts.
const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
const clients = {
  ecs: new ECSClient({ region: 'us-east-1', credentials }),
  s3: new S3Client({ region: 'us-east-1', credentials, requestChecksumCalculation: 'WHEN_REQUIRED' }),
};
const ecs = mockClient(clients.ecs);
const s3 = mockClient(clients.s3);
const arn = 'arn:aws:ecs:us-east-1:1:task/c/1';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-fargate-engines-'));
  await writeFile(join(folder, 'log.evtx'), 'log');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  ecs.reset();
  s3.reset();
  s3.onAnyCommand().resolves({});
  s3.on(GetObjectCommand).rejects(new NoSuchKey({ $metadata: {}, message: 'none' }));
  ecs.on(ListTasksCommand).resolves({ taskArns: [] });
  ecs.on(RunTaskCommand).resolves({ tasks: [{ taskArn: arn }] });
  ecs.on(StopTaskCommand).resolves({});
  stopped({ stoppedReason: 'Essential container in task exited', containers: [{ exitCode: 74 }] });
});

const outputs = (): string => join(folder, 'outputs');
const engines = (patienceMs = 60_000): FargateEngines =>
  new FargateEngines(
    clients,
    {
      cluster: 'c',
      subnets: ['subnet-1'],
      securityGroups: ['sg-1'],
      bucket: 'exchange',
      folder: outputs(),
      engines: new Map([['evtx-timeline', { family: 'svc-evtx-timeline', most: 2 }]]),
      maxOutputBytes: 5_242_880,
      maxLogBytes: 1000,
      lookMs: 1,
      waitMs: 1,
      patienceMs,
    },
    silentLog,
  );
const command = (over: Partial<Pick<EngineCommand, 'engine' | 'program'>> = {}): EngineCommand => ({
  engine: 'evtx-timeline',
  program: null,
  input: join(folder, 'log.evtx'),
  inputName: 'log.evtx',
  imageHome: '/opt/evtx-timeline',
  rules: [],
  config: null,
  mounts: [],
  args: ({ home, input, output }) => ['-c', `${home}/config`, '-f', input, '-o', `${output}/x.jsonl`],
  printsTo: null,
  timeout: 300,
  ...over,
});
const never = new AbortController().signal;
const run = (by = engines(), signal = never): Promise<string> =>
  by.run(command(), signal, async ({ folder: at }) => at);
/** What the run fails with. */
const failure = async (by?: FargateEngines): Promise<EngineFailure> => {
  const error: unknown = await run(by).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EngineFailure);
  // The cast is safe: that was looked at.
  return error as EngineFailure;
};

function stopped(task: object): void {
  ecs.on(DescribeTasksCommand).resolves({ tasks: [{ taskArn: arn, lastStatus: 'STOPPED', ...task }] });
}

function refusedOnce(name: string, message: string): void {
  ecs
    .on(RunTaskCommand)
    .rejectsOnce(Object.assign(new Error(message), { name }))
    .resolves({ tasks: [{ taskArn: arn }] });
}

const result = (value: object): void => {
  const told = { end: 'exit', exit_code: 0, log: 'said', message: '', ...value };
  // The cast is safe: nothing of what the SDK adds to streams is used.
  const Body = Readable.from([Buffer.from(JSON.stringify(told))]) as never;
  s3.on(GetObjectCommand).resolves({ Body });
};

describe('a task', () => {
  it('is of the newest definition of its family, and gets one link and nothing else', async () => {
    await failure();
    const [{ input }] = ecs.commandCalls(RunTaskCommand).map(({ args }) => args[0]) as [RunTaskCommand];
    expect(input).toMatchObject({ cluster: 'c', taskDefinition: 'svc-evtx-timeline', launchType: 'FARGATE' });
    expect(input.networkConfiguration?.awsvpcConfiguration).toMatchObject({ assignPublicIp: 'DISABLED' });
    const [{ environment = [], ...others } = {}] = input.overrides?.containerOverrides ?? [];
    expect(others).toEqual({ name: 'engine' });
    expect(environment.map(({ name, value }) => [name, new URL(value!).pathname])).toEqual([
      ['SVC_ENGINE_ORDER', expect.stringMatching(/^\/runs\/[\w-]+\/order$/) as string],
    ]);
    expect(JSON.stringify(input.overrides).length).toBeLessThan(8192);
  });

  it('has an order of links into its run alone, and arguments as the engine will see the files', async () => {
    await failure();
    const puts = s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input);
    const order = JSON.parse(puts.find(({ Key }) => Key?.endsWith('order'))!.Body as string) as Record<string, unknown>;
    expect(order).toMatchObject({
      args: ['-c', '/opt/evtx-timeline/config', '-f', '/work/input/log.evtx', '-o', '/work/output/x.jsonl'],
      files: [{ path: '/work/input/log.evtx', is_archive: false }],
      max_input_bytes: 3,
      seconds: 300,
    });
    const prefix = puts[0]!.Key!.replace(/[^/]+$/, '');
    const links = JSON.stringify(order)
      .match(/https:[^"]+/g)!
      .map((link) => new URL(link));
    expect(links).toHaveLength(4);
    expect(links.filter(({ pathname }) => !pathname.startsWith(`/${prefix}`))).toEqual([]);
    expect(links.filter(({ searchParams }) => searchParams.get('X-Amz-Expires') !== '1800')).toEqual([]);
    // Of what nobody has yet, the signature must not say anything.
    expect(links.filter(({ search }) => /checksum-(crc|sha)/.test(search))).toEqual([]);
  });

  it('waits while as many run as may', async () => {
    ecs
      .on(ListTasksCommand)
      .resolvesOnce({ taskArns: ['1', '2'] })
      .resolvesOnce({ taskArns: ['1'], nextToken: 'more' })
      .resolvesOnce({ taskArns: ['2'] })
      .resolves({ taskArns: ['2'] });
    await failure(engines(0));
    expect(ecs.commandCalls(RunTaskCommand)).toHaveLength(1);
    expect(ecs.commandCalls(ListTasksCommand)).toHaveLength(4);
    expect(ecs.commandCalls(ListTasksCommand)[0]!.args[0].input).toMatchObject({ family: 'svc-evtx-timeline' });
  });

  it.each([
    ['is throttled', 'ThrottlingException', 'Rate exceeded'],
    ['is beyond the quota', 'ClientException', 'You’ve reached the limit on the number of vCPUs'],
    ['has no machine', 'ServerException', 'Capacity is unavailable at this time. Please try again later'],
  ])('is asked for again when it %s', async (_, name, message) => {
    refusedOnce(name, message);
    expect((await failure()).message).toMatch(/left no result/);
    expect(ecs.commandCalls(RunTaskCommand)).toHaveLength(2);
  });

  it('fails where AWS has no machine for too long', async () => {
    ecs.on(RunTaskCommand).resolves({ tasks: [], failures: [{ reason: 'RESOURCE:FARGATE', detail: 'none' }] });
    expect((await failure(engines(0))).message).toBe('AWS has no machine for evtx-timeline: RESOURCE:FARGATE: none');
  });

  it.each([
    ['InvalidParameterException', 'TaskDefinition not found.'],
    ['AccessDeniedException', 'not authorized to perform: ecs:RunTask'],
  ])('fails at once for %s', async (name, message) => {
    refusedOnce(name, message);
    expect((await failure()).message).toBe(`ECS does not run svc-evtx-timeline: ${name}: ${message}`);
  });

  it.each([
    [
      'its image is missing',
      { stoppedReason: 'CannotPullContainerError: pull image manifest has been retried 1 time(s)', containers: [{}] },
      /^The image of evtx-timeline cannot be fetched: CannotPull/,
    ],
    [
      'it runs out of memory',
      {
        stoppedReason: 'Essential container in task exited',
        containers: [{ exitCode: 137, reason: 'OutOfMemoryError: Container killed due to memory usage' }],
      },
      /^evtx-timeline ran out of the memory that its task has/,
    ],
    [
      'its entry ends without a result',
      { stoppedReason: 'Essential container in task exited', containers: [{ exitCode: 74 }] },
      /left no result: Essential container in task exited, exit code 74$/,
    ],
    ['nothing is said of why', {}, /left no result: it stopped$/],
  ])('says so when %s', async (_, task, sentence) => {
    stopped(task);
    const error = await failure();
    expect(error.message).toMatch(sentence);
    expect(error instanceof EngineUnavailable).toBe(/image/.test(sentence.source));
    expect(ecs.commandCalls(StopTaskCommand)).toHaveLength(0);
    expect(await readdir(outputs())).toEqual([]);
  });

  it.each([
    [{ end: 'time' }, 'evtx-timeline did not finish within its limit of 300 s'],
    [{ end: 'output' }, 'evtx-timeline put out more than 5 MB'],
    [
      { end: 'input', message: 'the store answered 403' },
      'evtx-timeline did not get its files: the store answered 403',
    ],
    [{ end: 'start', message: 'exec format error' }, 'evtx-timeline could not be started: exec format error'],
  ])('is ended by its entry: %j', async (told, sentence) => {
    result({ ...told, exit_code: null });
    expect(await failure()).toMatchObject({ message: sentence, log: 'said' });
  });

  it('is looked at again when ECS does not answer', async () => {
    ecs
      .on(DescribeTasksCommand)
      .rejectsOnce(new Error('socket hang up'))
      .resolvesOnce({ tasks: [] })
      .resolvesOnce({ tasks: [{ lastStatus: 'RUNNING' }] })
      .resolves({ tasks: [{ lastStatus: 'STOPPED' }] });
    await failure();
    expect(ecs.commandCalls(DescribeTasksCommand)).toHaveLength(4);
  });

  it('that never comes up is given up, and stopped', async () => {
    ecs.on(DescribeTasksCommand).resolves({ tasks: [{ lastStatus: 'PENDING' }] });
    expect((await failure(engines(0))).message).toBe('The machine for evtx-timeline did not come up');
    expect(ecs.commandCalls(StopTaskCommand)).toHaveLength(1);
  });

  it('is stopped when nobody wants it any more, and leaves nothing', async () => {
    ecs.on(DescribeTasksCommand).resolves({ tasks: [{ lastStatus: 'RUNNING', startedAt: new Date() }] });
    const cancel = new AbortController();
    const running = run(engines(), cancel.signal);
    await expect.poll(() => ecs.commandCalls(DescribeTasksCommand).length).toBeGreaterThan(1);
    cancel.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    const [stop] = ecs.commandCalls(StopTaskCommand);
    expect(stop?.args[0].input).toMatchObject({ cluster: 'c', task: arn });
    expect(await readdir(outputs())).toEqual([]);
  });
});

it('skips what has no image here', async () => {
  const other = engines().run(command({ engine: 'sigma-text' }), never, async () => 0);
  await expect(other).rejects.toThrow(new EngineUnavailable('sigma-text has no image in this deployment'));
});

it('takes only what the deployment has, and the workflow has nowhere else', async () => {
  const variables = {
    ENGINE_TASKS: 'evtx-timeline=svc-evtx-timeline:2,later-engine=x:1',
    ENGINE_CLUSTER: 'c',
    ENGINE_SUBNETS: 'subnet-1',
    ENGINE_BUCKET: 'exchange',
  };
  const environment = readEnvironment(variables);
  const here: string[] = [];
  const local: EngineRunner = {
    run: async ({ engine }, _signal, read) => {
      here.push(engine);
      return read({ folder: '', exitCode: 0, isContainer: false, log: '' });
    },
    find: async (engine) => ({ missing: engine }),
    prepare: async () => undefined,
  };
  const lazily = lazyFargateEngines(local, environment, silentLog);
  const path = { kind: 'path', path: '/opt/hayabusa' } as const;
  await lazily.runner.run(command({ program: path }), never, async () => 0);
  await lazily.runner.run(command({ engine: 'sigma-multi' }), never, async () => 0);
  expect(here).toEqual(['evtx-timeline', 'sigma-multi']);
  expect(await lazily.runner.find('evtx-timeline', null)).toMatchObject({ at: 'ECS: svc-evtx-timeline' });
  expect(await lazily.runner.find('evtx-timeline', path)).toEqual({ missing: 'evtx-timeline' });
  expect(await lazily.runner.find('sigma-multi', null)).toEqual({ missing: 'sigma-multi' });
  const nowhere = lazyFargateEngines(local, readEnvironment({}), silentLog);
  expect(await nowhere.runner.find('evtx-timeline', null)).toEqual({ missing: 'evtx-timeline' });
  await lazily.close();
});
