import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { AppError } from '@svc/domain';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBytes } from '../rules/stored-object.ts';
import { removeRawOutputs, storeRawOutputs } from './store-raw-outputs.ts';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
afterAll(() => test.close());

const raw = { chunks: [Buffer.from('{"nth":1}\n'), Buffer.from('{"nth":2}\n')], isTruncated: true };

it('keeps findings and matches as compressed lines, and says what is incomplete', async () => {
  const kept = await storeRawOutputs(test.ports, output({ findings: [finding(), finding({ ruleId: 'b' })], raw }));
  expect(kept).toMatchObject([
    { name: 'findings.jsonl.gz', isComplete: true },
    { name: 'matches.jsonl.gz', isComplete: false },
  ]);
  const texts = [];
  for (const { storageKey, sizeBytes } of kept) {
    expect(storageKey).toMatch(/^outputs\//);
    const bytes = await readBytes(test.ports, storageKey);
    expect(bytes.length).toBe(sizeBytes);
    texts.push(gunzipSync(bytes).toString());
  }
  const [findings = '', matches] = texts;
  const lines = findings
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ ruleId, severity, events }) => [ruleId, severity, events])).toEqual([
    [finding().ruleId, 'high', undefined],
    ['b', 'high', undefined],
  ]);
  expect(matches).toBe('{"nth":1}\n{"nth":2}\n');
  await removeRawOutputs(test.ports, kept);
  for (const { storageKey } of kept) expect(await test.ports.objects.exists(storageKey)).toBe(false);
});

it('keeps nothing where nothing matched', async () => {
  expect(await storeRawOutputs(test.ports, output())).toEqual([]);
  expect(await storeRawOutputs(test.ports, output({ raw: { chunks: [], isTruncated: false } }))).toEqual([]);
});

it('does without them where they cannot be stored, and takes back the first', async () => {
  const made: string[] = [];
  const objects = overriding(test.ports.objects, {
    create: async (...args) => {
      if (made.length > 0) throw new AppError('low_space', 'full');
      const stored = await test.ports.objects.create(...args);
      made.push(stored.key);
      return stored;
    },
  });
  expect(await storeRawOutputs({ ...test.ports, objects }, output({ raw }))).toEqual([]);
  expect(await test.ports.objects.exists(made[0]!)).toBe(false);
});
