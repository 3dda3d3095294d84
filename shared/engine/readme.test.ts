import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeEvtx } from './testing/evtx-writer.ts';
import { report } from './testing/example.ts';
import { ruleOf } from './testing/rule-check.ts';

it('shows an example that runs', async () => {
  const [readme, example] = await Promise.all(
    ['README.md', 'testing/example.ts'].map((name) => readFile(new URL(name, import.meta.url), 'utf8')),
  );
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`);

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
