import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import type { TaskDefinition } from '@svc/contracts/workflow-definition.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getJob } from '../../jobs/get-job.ts';
import type { Ports } from '../../ports/ports.ts';
import { chosenWorkflow } from '../../submissions/chosen-workflow.ts';
import { deleteWorkflow, duplicateWorkflow, resetWorkflow } from './change-workflows.ts';
import { getWorkflow } from './get-workflow.ts';
import { listAdminWorkflows } from './list-admin-workflows.ts';
import { changeWorkflow, createWorkflow } from './save-workflow.ts';
import { validateWorkflow } from './validate-workflow.ts';
import { exportWorkflows, importWorkflows } from './workflow-documents.ts';

const admin: Actor = { kind: 'account', userId: '0', email: 'a@x.org', role: 'admin', ip: '192.0.2.1' };
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

const own = {
  name: 'Own',
  description: 'Of this site',
  log_types: ['evtx' as const],
  tasks: 'tasks:\n  # The important one\n  - tool: sigma-native\n    filters: { min_level: high }\n',
  is_default: false,
  enabled: true,
};
const problemsOf = async (tasks: string, over: { name?: string; log_types?: typeof own.log_types } = {}) =>
  (await validateWorkflow(ports, admin, { name: 'Own', log_types: [], ...over, tasks })).problems;
const windows = async () => {
  const { workflows } = await listAdminWorkflows(ports);
  return workflows.find(({ name }) => name === 'Windows Full Analysis')!;
};
const seed = async (change: (text: string) => string = (text) => text) => {
  const { workflows } = await ports.shipped.workflows();
  await ports.workflows.seed(workflows.map((one) => ({ ...one, definition: change(one.definition) })));
};

describe('a workflow', () => {
  it('is made, changed, copied and deleted', async () => {
    const { workflow } = await createWorkflow(ports, admin, { ...own, name: ' Own ' });
    expect(workflow).toMatchObject({ ...own, origin: 'own', engines: [{ tool: 'sigma-native', state: 'runs' }] });
    const changed = await changeWorkflow(ports, admin, { id: workflow.id, description: 'More', is_default: true });
    expect(changed.workflow).toMatchObject({ ...own, description: 'More', is_default: true });
    expect((await windows()).is_default).toBe(false);
    const copies = [];
    for (const _ of [1, 2]) copies.push((await duplicateWorkflow(ports, admin, workflow)).workflow);
    expect(copies.map(({ name, enabled, is_default: first }) => [name, enabled, first])).toEqual([
      ['Own (copy)', false, false],
      ['Own (copy 2)', false, false],
    ]);
    await expect(chosenWorkflow(ports, copies[0]!.id)).rejects.toMatchObject({ code: 'unknown_workflow' });
    expect(await deleteWorkflow(ports, admin, workflow)).toEqual({ id: workflow.id, name: 'Own' });
    await expect(getWorkflow(ports, admin, workflow)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteWorkflow(ports, admin, workflow)).rejects.toMatchObject({ code: 'not_found' });
    // Its name is free again.
    expect((await createWorkflow(ports, admin, own)).workflow.id).not.toBe(workflow.id);
    await expect(createWorkflow(ports, admin, own)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is not written over by somebody who has not seen the last change', async () => {
    const { id, updated_at: read } = (await createWorkflow(ports, admin, own)).workflow;
    test.advance(1);
    await changeWorkflow(ports, admin, { id, description: 'a', updated_at: read });
    await expect(changeWorkflow(ports, admin, { id, description: 'b', updated_at: read })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('that is refused says all reasons, and changes nothing', async () => {
    const bad = { ...own, name: '', tasks: 'tasks:\n  - tool: 7\n  - tool: a\n    threads: many\n' };
    await expect(createWorkflow(ports, admin, bad)).rejects.toMatchObject({
      code: 'invalid_workflow',
      reasons: [
        { message: 'name must not be empty' },
        { message: 'tasks[0].tool must be text (line 2)' },
        { message: 'tasks[1].threads must be a number (line 4)' },
      ],
    });
    expect((await listAdminWorkflows(ports)).workflows).toHaveLength(8);
  });
});

describe('of a definition', () => {
  /** For each key something of a wrong type. */
  const wrong: Record<keyof typeof TaskDefinition.shape, unknown[]> = {
    tool: [1, [], '', null],
    when_available: ['yes', 1],
    packs: [1, [], [1], {}],
    filters: ['high', { levels: 'high' }, { min_level: 'top' }, { status: 1 }, { log_source: 'windows' }],
    tool_path: [1, [], {}, { 'sparc-solaris': '/x' }, { 'x86_64-linux': 1 }],
    container_image: [1, [], {}, ''],
    dockerfile: [1, [], {}],
    build_context: [1, [], {}],
    build_tag: [1, [], {}],
    build_timeout: [[], {}, true],
    container_options: ['/a:/b', [1], ['nowhere'], {}],
    rules_path: [1, [], {}, [1]],
    timeout: [[], {}, true, null],
    threads: ['two', 0, 1.5, []],
    target: ['journald', 1],
    options: ['high', [], { min_level: 'top' }, { status: 1 }, { config: 1 }],
    extra_args: ['--fast', [1], {}],
    max_finding_details: ['ten', 0, [], 1.5],
  };

  it.each(Object.entries(wrong).flatMap(([key, values]) => values.map((value) => [key, value] as const)))(
    '%s: %j is refused by its key and line',
    async (key, value) => {
      const tasks = `tasks:\n  - tool: evtx-hunt\n  - ${key === 'tool' ? '' : 'tool: evtx-hunt\n    '}${key}: ${JSON.stringify(value)}\n`;
      const errors = (await problemsOf(tasks)).filter(({ level }) => level === 'error');
      expect(errors).not.toEqual([]);
      for (const error of errors) {
        expect(error.key).toMatch(new RegExp(`^tasks\\[1\\]\\.${key}`));
        expect(error.line).toBe(key === 'tool' ? 3 : 4);
        expect(error.message).toMatch(/^(must|is no key)/);
      }
    },
  );

  it.each([
    ['tool_path: /x\n    container_image: y', 'tasks[0].container_image'],
    ['tool_path: /x\n    dockerfile: y', 'tasks[0].dockerfile'],
    ['container_image: x\n    rules_path: [a, b]', 'tasks[0].rules_path'],
  ])('%j is refused', async (keys, key) => {
    const [error] = await problemsOf(`tasks:\n  - tool: evtx-hunt\n    ${keys}\n`);
    expect(error).toMatchObject({ level: 'error', key, line: 4 });
  });

  it('the built-in engine needs no way to run, and may have none', async () => {
    const [error] = await problemsOf('tasks: [{ tool: sigma-native, tool_path: /x }]');
    expect(error).toMatchObject({ level: 'error', key: 'tasks[0].tool_path' });
  });

  it('that is no YAML says so in a sentence that begins with its field', async () => {
    const [error] = await problemsOf('tasks: [');
    expect(`${error?.key} ${error?.message}`).toMatch(/^tasks cannot be used: Not readable as YAML: /);
  });

  it.each([
    ['', 'tasks', 1],
    ['tasks: []', 'tasks', 1],
    ['tasks:\n  - a\n', 'tasks[0]', 2],
    ['- a', 'tasks', 1],
    ['tasks: [', 'tasks', 1],
    ['tasks: [{ tool: a }]\nname: b', 'name', 2],
    ['tasks: [{ tool: a }]\n---\ntasks: []', 'tasks', 3],
    ['tasks: [&a { tool: a }, *a]', 'tasks', 1],
    ['x'.repeat(70_000), 'tasks', 1],
  ])('%.20j is refused as a whole', async (tasks, key, line) => {
    expect((await problemsOf(tasks)).find(({ level }) => level === 'error')).toMatchObject({ key, line });
  });

  it.each([
    ['tool: made-up', 'tool', /is no engine that is known: the task is skipped/],
    ['tool: evtx-hunt\n    when_available: true', 'tool', /is not enabled here: the task is left out/],
    [
      'tool: evtx-hunt\n    tool_path: { aarch64-darwin: /x, x86_64-linux: /x, arm64-linux: /x }',
      'tool',
      /not enabled/,
    ],
    ['tool: sigma-native\n    packs: gone', 'packs', /“gone”, which is not here/],
    ['tool: sigma-native\n    rules_path: x', 'rules_path', /takes packs/],
    ['tool: sigma-native\n    timout: 5', 'timout', /is not read/],
    ['tool: sigma-native\n    timeout: soon', 'timeout', /“soon” stands for 300 seconds/],
    ['tool: sigma-native\n    timeout: 100000', 'timeout', /stands for 86400/],
  ])('%j is said to be otherwise than it seems', async (task, key, message) => {
    const found = (await problemsOf(`tasks:\n  - ${task}\n`)).find((one) => one.key === `tasks[0].${key}`);
    expect(found).toMatchObject({ level: 'warning', message: expect.stringMatching(message) });
  });

  it('it is said when no task can run here', async () => {
    const found = await problemsOf('tasks: [{ tool: made-up }]');
    expect(found.at(-1)).toMatchObject({ key: 'tasks', message: 'no task can run here: every job would fail' });
  });
});

describe('one that ships', () => {
  it('follows its file until somebody edits it, and again once it is reset', async () => {
    const { id } = await windows();
    const newer = (text: string) => text.replace('timeout: 1800', 'timeout: 900');
    await seed(newer);
    expect(await windows()).toMatchObject({ id, origin: 'shipped' });
    expect((await getWorkflow(ports, admin, { id })).workflow.tasks).toContain('timeout: 900');
    await changeWorkflow(ports, admin, { id, tasks: own.tasks, name: 'Mine' });
    await seed();
    const edited = await getWorkflow(ports, admin, { id });
    expect(edited.workflow).toMatchObject({ name: 'Mine', origin: 'edited', tasks: own.tasks });
    expect(edited.shipped).toMatchObject({
      name: 'Windows Full Analysis',
      log_types: ['evtx', 'json_evtx', 'json_winlogbeat'],
    });
    expect((await listAdminWorkflows(ports)).workflows).toHaveLength(8);
    const { workflow } = await resetWorkflow(ports, admin, { id });
    expect(workflow).toMatchObject({
      id,
      name: 'Windows Full Analysis',
      origin: 'shipped',
      tasks: edited.shipped!.tasks,
    });
    await seed(newer);
    expect((await getWorkflow(ports, admin, { id })).workflow.tasks).toContain('timeout: 900');
  });

  it('that is edited back, or only switched off or made the default, is not edited', async () => {
    const { id } = await windows();
    const { tasks } = (await getWorkflow(ports, admin, { id })).workflow;
    await changeWorkflow(ports, admin, { id, tasks: own.tasks });
    await changeWorkflow(ports, admin, { id, tasks });
    await changeWorkflow(ports, admin, { id, enabled: false, is_default: false });
    await seed((text) => text.replace('timeout: 1800', 'timeout: 900'));
    expect(await windows()).toMatchObject({ origin: 'shipped', enabled: false, is_default: false });
    expect((await getWorkflow(ports, admin, { id })).workflow.tasks).toContain('timeout: 900');
  });

  it('that was deleted stays away until it is asked for', async () => {
    const { id } = await windows();
    await deleteWorkflow(ports, admin, { id });
    await seed();
    const list = await listAdminWorkflows(ports);
    expect(list.workflows).toHaveLength(7);
    expect(list.deleted).toEqual([{ id, name: 'Windows Full Analysis' }]);
    await resetWorkflow(ports, admin, { id });
    expect(await windows()).toMatchObject({ id, origin: 'shipped', enabled: true });
  });

  it('gives way to one of the site’s own with its name', async () => {
    const { id } = await windows();
    await changeWorkflow(ports, admin, { id, name: 'Elsewhere' });
    await createWorkflow(ports, admin, { ...own, name: 'Windows Full Analysis' });
    await seed();
    expect((await listAdminWorkflows(ports)).workflows).toHaveLength(9);
    await expect(resetWorkflow(ports, admin, { id })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('cannot be reset where it is of the site’s own', async () => {
    const { workflow } = await createWorkflow(ports, admin, own);
    await expect(resetWorkflow(ports, admin, workflow)).rejects.toMatchObject({ code: 'conflict' });
    expect((await getWorkflow(ports, admin, workflow)).shipped).toBeNull();
  });
});

describe('jobs', () => {
  const content = { content: 'ElfFile\0edited' };
  const workflowOf = async (jobId: number) => (await ports.jobs.get(jobId))!.job.workflowId;

  it('of a workflow that is deleted or switched off keep it, and no new one begins', async () => {
    const { id } = (await createWorkflow(ports, admin, own)).workflow;
    const job = await submitLog(ports, visitor, { ...content, workflow_id: id });
    await changeWorkflow(ports, admin, { id, enabled: false });
    await expect(submitLog(ports, visitor, { ...content, workflow_id: id })).rejects.toMatchObject({
      code: 'unknown_workflow',
    });
    await deleteWorkflow(ports, admin, { id });
    expect(await workflowOf(job)).toBe(id);
    expect(await ports.workflows.tasks(id)).toMatchObject([{ tool: 'sigma-native', filters: { minLevel: 'high' } }]);
    expect(await getJob(ports, visitor, { id: job })).toMatchObject({ workflow: { id, name: 'Own' } });
  });

  it('from before a change do not stand for those after it', async () => {
    const { id } = (await createWorkflow(ports, admin, own)).workflow;
    const asked = { ...content, workflow_id: id, force_resubmit: false };
    const first = await submitLog(ports, visitor, asked);
    expect(await submitLog(ports, visitor, asked)).toBe(first);
    test.advance(5);
    await changeWorkflow(ports, admin, { id, is_default: true });
    expect(await submitLog(ports, visitor, asked)).toBe(first);
    await changeWorkflow(ports, admin, { id, tasks: 'tasks: [{ tool: sigma-native, packs: core }]' });
    const second = await submitLog(ports, visitor, asked);
    expect(second).not.toBe(first);
    expect(await submitLog(ports, visitor, asked)).toBe(second);
    const { workflows } = await listAdminWorkflows(ports);
    expect(workflows.find((one) => one.id === id)).toMatchObject({ jobs: 2, last_used_at: expect.any(String) });
  });
});

describe('documents', () => {
  const text = async () => Buffer.from(await exportWorkflows(ports, admin, {})).toString();
  const take = (yaml_text: string, dry_run = false) => importWorkflows(ports, admin, { yaml_text, dry_run });

  it('come back as they were, with what was written beside the tasks', async () => {
    await createWorkflow(ports, admin, own);
    await createWorkflow(ports, admin, {
      ...own,
      name: 'JSON: #1',
      tasks: '{"tasks":[{"tool":"sigma-native"}]}',
      enabled: false,
    });
    const before = await text();
    expect(before).toContain('# The important one');
    expect(await take(before)).toMatchObject({ created: 0, unchanged: 9, updated: 1 });
    const after = await text();
    expect(after).toBe(before);
    expect(await take(after, true)).toMatchObject({ created: 0, unchanged: 10, updated: 0 });
    await test.reset();
    const { workflows } = await listAdminWorkflows(ports);
    for (const { id } of workflows) await deleteWorkflow(ports, admin, { id });
    expect(await take(after)).toMatchObject({ created: 10, unchanged: 0, updated: 0 });
    expect(await text()).toBe(after);
  });

  it('are looked at before they are taken', async () => {
    const asked = 'name: Own\nlog_types: [syslog]\nis_default: true\ntasks:\n  - tool: sigma-native\n';
    const planned = await take(asked, true);
    expect(planned).toMatchObject({ created: 1, changes: [{ name: 'Own', change: 'created' }] });
    expect((await listAdminWorkflows(ports)).workflows).toHaveLength(8);
    expect(await take(asked)).toEqual(planned);
    const second = asked.replace('syslog', 'auditd').replace('is_default: true\n', 'enabled: false\n');
    expect(await take(second)).toMatchObject({
      updated: 1,
      changes: [{ name: 'Own', change: 'updated', keys: ['log_types', 'enabled'] }],
    });
    expect((await listAdminWorkflows(ports)).workflows.filter((one) => one.is_default)).toMatchObject([
      { name: 'Own' },
    ]);
  });

  it('are taken all or none, and each refusal names its place', async () => {
    const good = 'name: Own\nlog_types: []\ntasks:\n  - tool: sigma-native\n';
    const bad = 'name: Bad\nlog_types: [vms]\ntasks:\n  - tool: sigma-native\n    threads: x\n';
    await expect(take(`${good}---\n${bad}`)).rejects.toMatchObject({
      code: 'invalid_workflow',
      reasons: [
        { message: expect.stringMatching(/^log_types\[0\] must be one of .* \(line 7\)$/) },
        { message: 'tasks[0].threads must be a number (line 10)' },
      ],
    });
    await expect(take(`${good}---\n${good}`)).rejects.toThrow('The document names “Own” twice (line 6)');
    await expect(take('# nothing')).rejects.toThrow('has no workflow');
    expect((await listAdminWorkflows(ports)).workflows).toHaveLength(8);
    expect((await take(good.replace('tool:', 'tol: x\n    tool:'))).warnings).toMatchObject([
      { key: 'tasks[0].tol', message: 'is not read', line: 4 },
    ]);
  });
});
