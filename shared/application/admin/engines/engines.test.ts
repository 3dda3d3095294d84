import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations, type AdminEngine } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EngineFailure } from '../../ports/detection-engine.ts';
import type { EngineRunner } from '../../ports/engine-runner.ts';
import type { Ports } from '../../ports/ports.ts';
import { runBackgroundTask } from '../../work/run-background-task.ts';
import { runTaskAgain } from '../tasks/change-background-task.ts';
import { checkEngines } from '../readiness/check-engines.ts';
import { changeEngine, runEngineTask } from './change-engine.ts';
import { listEngines } from './list-engines.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const never = new AbortController().signal;

let test: TestPorts;
let ports: Ports;
let admin: Actor;
/** What a worker's runner says. */
let found: Awaited<ReturnType<EngineRunner['find']>>;
let prepare: EngineRunner['prepare'];
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(async () => {
  await test.reset();
  found = { version: '2.16.4', at: '/usr/bin/chainsaw', digest: null };
  prepare = async () => undefined;
  ports = {
    ...test.ports,
    engineRunner: {
      run: () => Promise.reject(new Error('nothing is run here')),
      find: async () => found,
      prepare: (...asked) => prepare(...asked),
    },
  };
  admin = await addAdmin(ports);
});
afterAll(() => test.close());

async function engine(name = 'evtx-hunt'): Promise<AdminEngine> {
  const answer = await listEngines(ports);
  expect(operations.listEngines.output.parse(answer)).toEqual(answer);
  return answer.engines.find((one) => one.name === name)!;
}

/** Does the task that is in flight, as a worker does. */
async function work(): Promise<void> {
  const [task] = await ports.backgroundTasks.inFlight();
  if (task?.kind !== 'test_engine' && task?.kind !== 'prepare_engine_image') throw new Error('no task is in flight');
  await runBackgroundTask(ports, { kind: task.kind, taskId: task.id, targetId: task.targetId! }, never);
}

it('lists the built-in engine and the others, which are not enabled at first, with the workflows that name them', async () => {
  const { engines } = await listEngines(ports);
  expect(engines.map(({ name, title, enabled, built_in: own }) => [name, title, enabled, own])).toEqual([
    ['sigma-native', 'The built-in engine', true, true],
    ['evtx-timeline', 'Hayabusa', false, false],
    ['evtx-hunt', 'Chainsaw', false, false],
    ['sigma-multi', 'Zircolite', false, false],
    ['sigma-text', 'ChopChopGo', false, false],
  ]);
  expect((await engine()).workflows.map(({ name }) => name)).toEqual(['Windows Full Analysis']);
  expect(await engine()).toMatchObject({ seen: null, runs: null, task: null, program: null });
});

it('enables an engine at once, and has a worker look for it', async () => {
  expect(await changeEngine(ports, admin, { name: 'evtx-hunt', enabled: true })).toMatchObject({
    enabled: true,
    seen: null,
    task: { kind: 'test_engine', status: 'pending' },
  });
  expect((await ports.engineSettings.all()).get('evtx-hunt')?.enabled).toBe(true);
  await work();
  expect(await engine()).toMatchObject({
    seen: { version: '2.16.4', at: '/usr/bin/chainsaw', missing: null, looked_on: hostname() },
    task: { status: 'completed', detail: 'version 2.16.4 at /usr/bin/chainsaw' },
  });
  await changeEngine(ports, admin, { name: 'evtx-hunt', enabled: false });
  expect(await ports.backgroundTasks.inFlight()).toEqual([]);
});

it('says why an engine cannot run, until it is found', async () => {
  found = { missing: 'No program chainsaw is on the PATH' };
  await changeEngine(ports, admin, { name: 'evtx-hunt', enabled: true });
  await work();
  expect(await engine()).toMatchObject({
    seen: { missing: 'No program chainsaw is on the PATH', at: null },
    task: { status: 'failed', error: 'No program chainsaw is on the PATH' },
  });
  expect(await checkEngines(ports)).toContainEqual(
    expect.objectContaining({
      name: 'Chainsaw',
      level: 'WARN',
      message: expect.stringContaining('on the PATH') as string,
    }),
  );
  found = { version: null, at: '/opt/chainsaw', digest: null };
  const { task } = await engine();
  await runTaskAgain(ports, admin, { id: task!.id });
  await work();
  expect(await engine()).toMatchObject({ seen: { missing: null }, task: { detail: 'found at /opt/chainsaw' } });
  expect(await checkEngines(ports)).toContainEqual(expect.objectContaining({ name: 'Chainsaw', level: 'PASS' }));
});

it('makes an image ready, tells meanwhile what is said, and keeps it', async () => {
  await expect(runEngineTask(ports, admin, { name: 'evtx-hunt', what: 'image' })).rejects.toMatchObject({
    code: 'bad_request',
  });
  const program = { kind: 'image', image: 'registry.example/hunt:2' } as const;
  await ports.engineSettings.change('evtx-hunt', { program });
  found = { version: '2', at: program.image, digest: 'sha256:abc' };
  let meanwhile: AdminEngine | undefined;
  prepare = async (asked, said) => {
    expect(asked).toEqual(program);
    said('Copying blob 1\n');
    await expect.poll(async () => (meanwhile = await engine()).task?.detail).toBe('Copying blob 1');
    said('Writing manifest\n');
  };
  await runEngineTask(ports, admin, { name: 'evtx-hunt', what: 'image' });
  await work();
  expect(meanwhile?.task).toMatchObject({ kind: 'prepare_engine_image', status: 'running' });
  expect(await engine()).toMatchObject({
    program,
    seen: { digest: 'sha256:abc', log: 'Copying blob 1\nWriting manifest\n' },
    task: { status: 'completed', detail: `version 2 at ${program.image}` },
  });
});

it('tells what was said when an image could not be made, and ends when it is stopped', async () => {
  await ports.engineSettings.change('sigma-multi', { program: { kind: 'image', image: 'multi' } });
  prepare = async (_, said) => {
    said('denied\n');
    throw new EngineFailure('The image multi could not be pulled: denied');
  };
  await runEngineTask(ports, admin, { name: 'sigma-multi', what: 'image' });
  await work();
  expect(await engine('sigma-multi')).toMatchObject({
    seen: { missing: 'The image multi could not be pulled: denied', log: 'denied\n' },
    task: { status: 'failed', error: 'The image multi could not be pulled: denied' },
  });

  prepare = async (_, said, signal) => {
    const [task] = await ports.backgroundTasks.inFlight();
    await ports.backgroundTasks.cancel(task!.id, ports.clock.now());
    said('more\n');
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  await runEngineTask(ports, admin, { name: 'sigma-multi', what: 'image' });
  await work();
  expect((await engine('sigma-multi')).task).toMatchObject({ status: 'cancelled' });
});

it('tells how the runs of an engine went', async () => {
  test.engine.behave = async () => output({ findings: [finding()] });
  const id = await analyzeLog(test.ports, visitor);
  expect((await engine('sigma-native')).runs).toMatchObject({
    count: 1,
    failures: 0,
    last: { job_id: id, status: 'completed', error: null },
  });
});
