import { FakeEngine } from '@svc/adapters/testing/fake-engine.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { unpackRules } from '@svc/engine';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { rulesForTask } from '../rules/rules-for-task.ts';
import { takeCorePack } from '../rules/take-core-pack.ts';
import { getCompiledRules } from './get-compiled-rules.ts';
import { getTriagePlan } from './get-triage-plan.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const native = Object.assign(new FakeEngine(), { usesRulePacks: true });
let test: TestPorts;
let ports: Ports;
let workflow: number;
beforeAll(async () => {
  test = await openTestPorts();
  ports = { ...test.ports, engines: { get: (name) => (name === native.name ? native : null) } };
}, 60_000);
beforeEach(async () => {
  await test.reset();
  await takeCorePack(ports);
  workflow = (await ports.workflows.list()).find(({ isDefault }) => isDefault)!.id;
});
afterAll(() => test.close());

const planned = () => getTriagePlan(ports, visitor, { workflow_id: workflow });
const digestIn = (url: string): string => url.split('/').at(-1)!;

describe('what an analysis in the browser needs', () => {
  it('is what a job of the workflow would begin with now', async () => {
    const plan = await planned();
    const [task] = await ports.workflows.tasks(workflow);
    const ready = await rulesForTask(ports, task!);
    expect(plan).toMatchObject({
      workflow: { id: workflow },
      elsewhere: [],
      tasks: [
        {
          tool: 'sigma-native',
          rules: { loaded: ready.ruleSet.loaded },
          max_finding_details: test.settings.maxFindingDetails,
        },
      ],
    });
    expect(digestIn(plan.tasks[0]!.rules_url)).toBe(ready.digest);
    expect(plan.derive).toEqual(await ports.reportConfig.current());
  });

  it('names engines that only the service has', async () => {
    const none = { ...ports, engines: { get: () => null } };
    const plan = await getTriagePlan(none, visitor, { workflow_id: workflow });
    expect({ tasks: plan.tasks, elsewhere: plan.elsewhere }).toEqual({ tasks: [], elsewhere: ['sigma-native'] });
  });

  it('is refused where nothing may be submitted, for an unknown workflow, and without rules', async () => {
    await expect(getTriagePlan(ports, visitor, { workflow_id: 2_000_000_000 })).rejects.toMatchObject({
      code: 'unknown_workflow',
    });
    await ports.rulePacks.change('core', { enabled: false });
    await expect(planned()).rejects.toMatchObject({ code: 'pack_refused', message: /No rule pack is enabled/ });
    test.settings.demoMode = true;
    await expect(planned()).rejects.toMatchObject({ code: 'demo_mode' });
    await expect(getCompiledRules(ports, visitor, { digest: 'a'.repeat(64) })).rejects.toMatchObject({
      code: 'demo_mode',
    });
  });
});

describe('compiled rules', () => {
  it('come as gzip, with author and source, and are compressed once', async () => {
    const digest = digestIn((await planned()).tasks[0]!.rules_url);
    const bytes = await getCompiledRules(ports, visitor, { digest });
    const { rules } = unpackRules(gunzipSync(bytes));
    const whole = rules.filter(({ source, author }) => source.includes('license: Apache-2.0') && author !== null);
    expect(whole.length).toBeGreaterThan(200);
    await ports.objects.delete((await ports.ruleArtifacts.find(digest))!.storageKey);
    expect(await getCompiledRules(ports, visitor, { digest })).toEqual(bytes);
  });

  it('are not packed again and again for whoever asks for what was packed', async () => {
    const digest = digestIn((await planned()).tasks[0]!.rules_url);
    await getCompiledRules(ports, visitor, { digest });
    const packed = createHash('sha256').update(`gzip ${digest}`).digest('hex');
    await expect(getCompiledRules(ports, visitor, { digest: packed })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are not found where they were never made, and made again where their object is gone', async () => {
    await expect(getCompiledRules(ports, visitor, { digest: 'a'.repeat(64) })).rejects.toMatchObject({
      code: 'not_found',
    });
    const digest = digestIn((await planned()).tasks[0]!.rules_url);
    await ports.objects.delete((await ports.ruleArtifacts.find(digest))!.storageKey);
    await expect(getCompiledRules(ports, visitor, { digest })).rejects.toMatchObject({ code: 'not_found' });
    expect(digestIn((await planned()).tasks[0]!.rules_url)).toBe(digest);
    expect((await getCompiledRules(ports, visitor, { digest })).length).toBeGreaterThan(1000);
  });
});
