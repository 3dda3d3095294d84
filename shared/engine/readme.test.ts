import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { correlationTypes } from './correlation/correlation.ts';
import * as engine from './index.ts';
import * as engineOnNode from './node.ts';
import { modifiers } from './sigma/modifier-chain.ts';
import { analyzeBlob } from './testing/blob-example.ts';
import { writeEvtx } from './testing/evtx-writer.ts';
import { report } from './testing/example.ts';
import { ruleOf } from './testing/rule-check.ts';

async function textOf(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}

it('shows the examples as they are', async () => {
  const readme = await textOf('README.md');
  for (const name of ['testing/example.ts', 'testing/blob-example.ts']) {
    expect(readme).toContain(`\`\`\`ts\n${await textOf(name)}\`\`\`\n`);
  }
});

it('names all that is exported, read and understood', async () => {
  const readme = await textOf('README.md');
  const values = [...Object.keys(engine), ...Object.keys(engineOnNode)];
  // What these give is told of where they are.
  const untold = new Set(['archiveLimits', 'logTypes', 'mostComputers', 'severities', 'listRuleFiles', 'threadEntry']);
  const told = (name: string): boolean => readme.includes(`\`${name}\``) || readme.includes(`\`${name}(`);
  expect(values.filter((name) => !untold.has(name) && !told(name))).toEqual([]);
  const terms = [...engine.readableTypes, ...correlationTypes, ...modifiers];
  expect(terms.filter((name) => !told(name))).toEqual([]);
});

it('runs the example of a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'engine-readme-'));
  const rule = join(folder, 'rule.yml');
  const log = join(folder, 'log.evtx');
  await writeFile(rule, `${ruleOf('s: {Image|endswith: cmd.exe}\ncondition: s')}---\ntitle: Broken\n`);
  const event = {
    provider: 'Test',
    channel: 'Application',
    computer: 'pc',
    eventId: 1,
    time: '2026-01-01T00:00:00Z',
    data: { Image: 'C:\\Windows\\cmd.exe' },
  };
  await writeFile(log, writeEvtx([event, event]));
  expect(await report(log, rule)).toEqual([
    `${rule}:7: The document has neither detection, correlation nor filter`,
    'informational 2 Test',
  ]);
  await rm(folder, { recursive: true });
});

it('runs the example of a blob', async () => {
  const log = new Blob([new TextEncoder().encode('Mar  4 08:15:00 h sshd[1]: fatal: bad string\n')]);
  const rule = ruleOf("s: ['bad string']\ncondition: s", '{product: linux, service: sshd}');
  const { findings } = await analyzeBlob(log, rule, new AbortController().signal);
  expect(findings).toMatchObject([{ ruleName: 'Test', count: 1 }]);
  await expect(analyzeBlob(log, rule, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
