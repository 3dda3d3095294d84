import { output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getJob } from '../jobs/get-job.ts';
import type { Ports } from '../ports/ports.ts';
import { takeRulePack } from './take-rule-pack.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const folder = mkdtempSync(join(tmpdir(), 'svc-job-rules-'));
let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  Object.assign(test.engine, { usesRulePacks: true });
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

async function take(version: string, title = `R${version}`): Promise<void> {
  const text = `title: ${title}\nlogsource: { product: windows }\ndetection: { s: { EventID: 1 }, condition: s }\n`;
  await writeFile(join(folder, 'a.yml'), text);
  const origin = { path: folder, fileName: 'team', source: 'team', url: null };
  await takeRulePack(ports, origin, { name: null, version }, null);
}

async function analyzed(definition: string): Promise<number> {
  await ports.workflows.seed([{ name: 'Own', description: '', logTypes: [], isDefault: false, definition }]);
  const workflow = (await ports.workflows.list()).find(({ name }) => name === 'Own')!;
  return analyzeLog(ports, visitor, { workflow_id: workflow.id });
}

const twoTasks = 'tasks: [{tool: sigma-native, packs: team}, {tool: sigma-native, packs: all}]';

it('are those of its beginning to its end, whatever is imported meanwhile', async () => {
  await take('1');
  const digests: (string | undefined)[] = [];
  test.engine.behave = async ({ rules }) => {
    if (digests.push(rules?.digest) === 1) await take('2');
    return output({ ruleSet: rules!.ruleSet });
  };
  const id = await analyzed(twoTasks);
  expect(digests[1]).toBe(digests[0]);
  const { rules } = await getJob(ports, visitor, { id });
  expect(rules).toMatchObject({ newer: true, packs: [{ name: 'team', version: '1' }] });
  const next = await getJob(ports, visitor, { id: await analyzed(twoTasks) });
  expect(next.rules).toMatchObject({ newer: false, packs: [{ name: 'team', version: '2' }] });
  expect(digests[2]).not.toBe(digests[0]);
});

it('are others also where two versions are called the same', async () => {
  await take('1');
  test.engine.behave = ({ rules }) => Promise.resolve(output({ ruleSet: rules!.ruleSet }));
  const id = await analyzed(twoTasks);
  expect((await getJob(ports, visitor, { id })).rules).toMatchObject({ newer: false });
  await take('1', 'Another');
  expect((await getJob(ports, visitor, { id })).rules).toMatchObject({ newer: true });
});

it('fail only the task that has none, with the reason', async () => {
  await take('1');
  test.engine.behave = async ({ rules }) => output({ ruleSet: rules!.ruleSet });
  const id = await analyzed('tasks: [{tool: sigma-native, packs: gone}, {tool: sigma-native}]');
  expect(await ports.jobs.get(id)).toMatchObject({ job: { status: 'partial' } });
  const tasks = await ports.jobViews.tasks(id);
  expect(tasks.map(({ status, errorMessage }) => [status, errorMessage])).toEqual([
    ['failed', 'The workflow names the rule pack “gone”, which is not here'],
    ['completed', null],
  ]);
});
