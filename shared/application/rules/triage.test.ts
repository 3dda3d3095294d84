import { enginesOf, FakeEngine } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { addAdmin, openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { unpackRules } from '@svc/engine';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { saveRule } from './save-rule.ts';
import { rulesForTask } from './rules-for-task.ts';
import { takeCorePack } from './take-core-pack.ts';
import { getCompiledRules } from './get-compiled-rules.ts';
import { getTriagePlan } from './get-triage-plan.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const native = Object.assign(new FakeEngine(), { usesRulePacks: true });
let test: TestPorts;
let ports: Ports;
let workflow: number;
/** The same, whose compiler reads and compiles the shipped pack once for all tests, which takes seconds. */
let shippedPorts: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = { ...test.ports, engines: enginesOf((name) => (name === native.name ? native : null)) };
  const { ruleCompiler } = ports;
  const read = once((path: string) => ruleCompiler.read(path));
  const compile = once((files: Uint8Array) => ruleCompiler.compile(files));
  shippedPorts = { ...ports, ruleCompiler: overriding(ruleCompiler, { read, compile }) };
}, 60_000);
beforeEach(async () => {
  await test.reset();
  await takeCorePack(shippedPorts);
  workflow = (await ports.workflows.list()).find(({ isDefault }) => isDefault)!.id;
});
afterAll(() => test.close());

function once<Q, A>(ask: (question: Q) => Promise<A>): (question: Q) => Promise<A> {
  let answer: Promise<A> | undefined;
  return (question) => (answer ??= ask(question));
}

const planned = (actor: Actor = visitor) => getTriagePlan(ports, actor, { workflow_id: workflow });
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
    // Attributes are of entities that the service keeps.
    const { dgaRule: _dgaRule, ...derived } = await ports.reportConfig.current();
    expect(plan.derive).toEqual(derived);
  });

  it('names engines that only the service has', async () => {
    const none = { ...ports, engines: enginesOf(() => null) };
    const plan = await getTriagePlan(none, visitor, { workflow_id: workflow });
    expect({ tasks: plan.tasks, elsewhere: plan.elsewhere }).toEqual({ tasks: [], elsewhere: ['sigma-native'] });
  });

  it('is refused where nothing may be submitted, for an unknown workflow, and without rules', async () => {
    await expect(getTriagePlan(ports, visitor, { workflow_id: 2_000_000_000 })).rejects.toMatchObject({
      code: 'unknown_workflow',
    });
    await ports.rulePacks.change('core', { enabled: false });
    await expect(planned()).rejects.toMatchObject({ code: 'pack_refused', message: /no rules that visitors could/ });
    test.settings.demoMode = true;
    await expect(planned()).rejects.toMatchObject({ code: 'demo_mode' });
    await expect(getCompiledRules(ports, visitor, { digest: 'a'.repeat(64) })).rejects.toMatchObject({
      code: 'demo_mode',
    });
  });
});

describe('rules of the site’s own', () => {
  const secret = 'what we watch for';
  const own = `title: ${secret}
logsource: {product: windows, category: process_creation}
detection: {s: {Image|endswith: '\\whoami.exe'}, condition: s}
`;
  let member: Actor;
  beforeEach(async () => {
    const admin = await addAdmin(ports);
    await saveRule(ports, admin, { source: own });
    member = { ...(admin as Actor & { kind: 'account' }), role: 'user' };
  });
  const titles = async (actor: Actor, url: string): Promise<string[]> => {
    const packed = await getCompiledRules(ports, actor, { digest: digestIn(url) });
    return unpackRules(gunzipSync(packed)).rules.map(({ title }) => title);
  };

  it('are for people who are signed in, and visitors are not told what they are', async () => {
    const [theirs, plan] = [await planned(member), await planned()];
    expect(theirs).toMatchObject({ shipped_rules_only: false, tasks: [{ rules: { name: 'core + custom' } }] });
    expect(await titles(member, theirs.tasks[0]!.rules_url)).toContain(secret);
    expect(plan).toMatchObject({ shipped_rules_only: true, tasks: [{ rules: { name: 'core' } }] });
    expect(JSON.stringify(plan)).not.toContain('custom');
    expect(await titles(visitor, plan.tasks[0]!.rules_url)).not.toContain(secret);
    expect((await titles(visitor, plan.tasks[0]!.rules_url)).length).toBeGreaterThan(200);
  });

  it('are not for visitors who know where they are', async () => {
    const url = (await planned(member)).tasks[0]!.rules_url;
    await titles(member, url);
    await expect(titles(visitor, url)).rejects.toMatchObject({ code: 'not_found' });
    const packed = createHash('sha256')
      .update(`gzip ${digestIn(url)}`)
      .digest('hex');
    await expect(titles(visitor, packed)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are all that is left out, and nothing is where there are none', async () => {
    await ports.rulePacks.change('core', { enabled: false });
    await expect(planned()).rejects.toMatchObject({ code: 'pack_refused', message: /visitors could apply here/ });
    expect((await planned(member)).tasks[0]!.rules.name).toBe('custom');
    await ports.rulePacks.change('core', { enabled: true });
    await ports.rulePacks.change('custom', { enabled: false });
    expect(await planned()).toMatchObject({ shipped_rules_only: false, tasks: [{ rules: { name: 'core' } }] });
  });

  it('are for visitors where the site says so', async () => {
    test.settings.triageCustomRules = true;
    const plan = await planned();
    expect(plan.shipped_rules_only).toBe(false);
    expect(await titles(visitor, plan.tasks[0]!.rules_url)).toContain(secret);
  });
});

describe('compiled rules', () => {
  it('come as gzip, with author and source, compressed once, and compiled once where they are gone', async () => {
    const digest = digestIn((await planned()).tasks[0]!.rules_url);
    const bytes = await getCompiledRules(ports, visitor, { digest });
    const { rules } = unpackRules(gunzipSync(bytes));
    const whole = rules.filter(({ source, author }) => source.includes('license: Apache-2.0') && author !== null);
    expect(whole.length).toBeGreaterThan(200);
    await ports.objects.delete((await ports.ruleArtifacts.find(digest))!.storageKey);
    let compiled = 0;
    const compile = (files: Uint8Array) => {
      compiled += 1;
      return ports.ruleCompiler.compile(files);
    };
    const counting = { ...ports, ruleCompiler: overriding(ports.ruleCompiler, { compile }) };
    const again = await getCompiledRules(counting, visitor, { digest });
    // By itself: of as many bytes `toEqual` makes seconds.
    expect(Buffer.compare(again, bytes)).toBe(0);
    expect(compiled).toBe(1);
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
    const account = await addAdmin(ports);
    await expect(getCompiledRules(ports, account, { digest })).rejects.toMatchObject({ code: 'not_found' });
    expect(digestIn((await planned()).tasks[0]!.rules_url)).toBe(digest);
    expect((await getCompiledRules(ports, visitor, { digest })).length).toBeGreaterThan(1000);
  });
});
