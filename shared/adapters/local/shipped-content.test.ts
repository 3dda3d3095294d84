import { WorkflowDefinition } from '@svc/contracts/workflow-definition.ts';
import { load } from 'js-yaml';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../machine/project-root.ts';
import { ShippedFiles } from './shipped-content.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-shipped-'));
beforeAll(async () => {
  await mkdir(join(folder, 'workflows'));
  await mkdir(join(folder, 'samples'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('reads the workflows that ship, the Windows one first', async () => {
  const { workflows, problems } = await new ShippedFiles(join(projectRoot(), 'config')).workflows();
  expect(problems).toEqual([]);
  expect(workflows).toHaveLength(8);
  expect(workflows[0]).toMatchObject({ name: 'Windows Full Analysis', isDefault: true });
  expect(workflows.filter(({ isDefault }) => isDefault)).toHaveLength(1);
});

it('keeps keys that it does not use in the definition', async () => {
  const { workflows } = await new ShippedFiles(join(projectRoot(), 'config')).workflows();
  const journald = workflows.find(({ logTypes }) => logTypes.includes('journald'));
  expect(load(journald?.definition ?? '')).toMatchObject({
    tasks: [{}, { options: { config: 'engines/journald-fields.yaml' } }],
  });
  expect(WorkflowDefinition.parse(load(journald?.definition ?? '')).tasks).toHaveLength(2);
});

it('reports a file that does not parse and loads the rest', async () => {
  const write = (name: string, text: string) => writeFile(join(folder, 'workflows', name), text);
  await write('1.yaml', 'name: One\nlog_types: []\ntasks: [{tool: sigma-native}]\n');
  await write('2.yaml', 'name: [');
  await write('3.yaml', 'name: Three\nlog_types: [windows]\ntasks: []\n');
  await write('4.yaml', 'name: Four\nlog_types: []\ntasks: [{timeout: 3}]\n');
  await write('README.md', 'no workflow');
  const { workflows, problems } = await new ShippedFiles(folder).workflows();
  expect(workflows.map(({ name }) => name)).toEqual(['One']);
  expect(problems.map((problem) => problem.slice(0, 7))).toEqual(['2.yaml:', '3.yaml:', '4.yaml:']);
});

it('lists samples with their sizes and reads those that are listed', async () => {
  const shipped = new ShippedFiles(folder);
  expect(await shipped.samples()).toEqual([]);
  const sample = { name: 'one', title: 'One', description: 'A log', file: 'one.evtx' };
  await writeFile(join(folder, 'samples', 'samples.json'), JSON.stringify([sample]));
  await writeFile(join(folder, 'samples', 'one.evtx'), 'ElfFile\0');
  expect(await shipped.samples()).toEqual([
    { name: 'one', title: 'One', description: 'A log', fileName: 'one.evtx', sizeBytes: 8 },
  ]);
  const read: Uint8Array[] = [];
  for await (const chunk of shipped.readSample('one')) read.push(chunk);
  expect(Buffer.concat(read).toString()).toBe('ElfFile\0');
  await expect(shipped.readSample('../one').next()).rejects.toMatchObject({ code: 'not_found' });
});

it('reads the alert rules and lists that ship', async () => {
  const { rules, lists, problems } = await new ShippedFiles(join(projectRoot(), 'config')).alertRules();
  expect(problems).toEqual([]);
  expect(rules.map(({ definition }) => definition.scope).sort()).toEqual([
    ...Array.from({ length: 33 }, () => 'entity'),
    ...Array.from({ length: 3 }, () => 'job'),
  ]);
  expect(lists).toHaveLength(9);
  expect(rules.filter(({ enabled }) => !enabled).map(({ key }) => key)).toEqual(['lookalike']);
});

it('reports a file of alert rules that cannot be used and loads the rest', async () => {
  await mkdir(join(folder, 'alert-rules'));
  const write = (name: string, text: string) => writeFile(join(folder, 'alert-rules', name), text);
  await write('1.yaml', 'lists: [{name: bad_hosts, match: exact, values: [a]}]\n');
  await write('2.yaml', "rules: [{key: one, name: One, criteria: 'list:bad_hosts', tags: [one]}]\n");
  await write('3.yaml', "rules: [{key: two, name: Two, criteria: 'list:unknown'}]\n");
  await write('4.yaml', 'rules: [{name: Three, criteria: a}]\n');
  await write('5.yaml', 'rules: [{key: four, name: Four, criteria: a, wbehook: {}}]\n');
  const { rules, lists, problems } = await new ShippedFiles(folder).alertRules();
  expect([rules.map(({ key }) => key), lists.map(({ name }) => name)]).toEqual([['one'], ['bad_hosts']]);
  expect(problems.map((problem) => problem.slice(0, 7))).toEqual(['3.yaml:', '4.yaml:', '5.yaml:']);
});
