import { NothingRead, type EngineInput, type ReadyRules } from '@svc/application/ports/detection-engine.ts';
import { loadRules, packRules } from '@svc/engine';
import { writeEvtx } from '@svc/engine/testing';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance as nodePerformance } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../machine/project-root.ts';
import { taskOf } from '../testing/fake-engine.ts';
import { SigmaNativeEngine } from './sigma-native.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-native-'));
const deriveFrom = {
  analyticsFields: join(projectRoot(), 'config/analytics_fields.yaml'),
  threatDetection: join(projectRoot(), 'config/threat_detection.yaml'),
};
const small = join(folder, 'small.evtx');
const large = join(folder, 'large.evtx');
const rule = `title: Whoami
id: 2f3c1a10-0000-4000-8000-000000000001
author: J. Doe
level: high
tags: [attack.discovery]
logsource: { product: windows, category: process_creation }
detection:
  selection: { Image|endswith: '\\whoami.exe' }
  condition: selection
`;
let engine: SigmaNativeEngine;

const event = (second: number, image: string, commandLine = 'whoami /all') => ({
  provider: 'Microsoft-Windows-Sysmon',
  eventId: 1,
  time: `2026-08-01T10:00:${String(second).padStart(2, '0')}Z`,
  channel: 'Microsoft-Windows-Sysmon/Operational',
  computer: 'ws1.example.org',
  data: { Image: image, CommandLine: commandLine },
});

beforeAll(async () => {
  const events = Array.from({ length: 50 }, (_, index) => event(index, `C:\\${index % 10 ? 'cmd' : 'whoami'}.exe`));
  const log = writeEvtx(events);
  await writeFile(small, log);
  // The same chunk again and again makes a log that takes a while.
  const chunks = Array.from({ length: 1500 }, () => log.subarray(4096));
  await writeFile(large, Buffer.concat([log.subarray(0, 4096), ...chunks]));
}, 60_000);
afterEach(() => engine.close());
afterAll(() => rm(folder, { recursive: true, force: true }));

async function engineWith(text: string, memoryMb = 512, threads = 1): Promise<EngineInput> {
  engine = new SigmaNativeEngine({ deriveFrom, memoryMb, threads });
  const sizeBytes = (await stat(small)).size;
  const bounds = { maxFindingDetails: 2, maxRawBytes: 100_000 };
  return { path: small, sizeBytes, logType: 'evtx', rules: rulesOf(text), task: taskOf('sigma-native'), ...bounds };
}

function rulesOf(text: string): ReadyRules {
  const { rules, rejected } = loadRules([{ path: 'a.yml', text }]);
  expect(rejected).toEqual([]);
  const packs = [{ name: 'own', version: '1', datedAt: '2026-08-01' }];
  const ruleSet = { name: 'own', version: '1', loaded: 1, rejected: 0, packs };
  return { digest: text, ruleSet, load: async () => packRules(rules).slice() };
}

function going(signal: AbortSignal = new AbortController().signal) {
  const progress: number[] = [];
  return { signal, progress, onProgress: (bytesDone: number) => void progress.push(bytesDone) };
}

it('finds what a rule describes, and says what it did', async () => {
  const input = await engineWith(rule);
  const run = going();
  const output = await engine.run(input, run);
  expect(output.findings).toMatchObject([
    {
      ruleId: '2f3c1a10-0000-4000-8000-000000000001',
      ruleName: 'Whoami',
      ruleAuthor: 'J. Doe',
      severity: 'high',
      tags: ['attack.discovery'],
      count: 5,
      firstSeen: expect.stringMatching(/^2026-08-01T10:00:00/),
      lastSeen: expect.stringMatching(/^2026-08-01T10:00:40/),
      hosts: ['ws1.example.org'],
      events: [{ eventId: '1', computer: 'ws1.example.org', fields: { CommandLine: 'whoami /all' } }, {}],
      ruleSource: expect.stringContaining('title: Whoami'),
    },
  ]);
  expect(output).toMatchObject({ events: 50, warnings: [], ruleSet: { name: 'own', loaded: 1 } });
  expect(output.log).toBe('rules: own 1');
  expect(run.progress.at(-1)).toBe(input.sizeBytes);
});

it('derives from matched events, and names findings by their places', async () => {
  const input = await engineWith(
    `${rule}---\n${rule.replace('Whoami', 'Cmd').replace('001', '002').replace('whoami.exe', 'cmd.exe')}`,
  );
  const { derived, findings } = await engine.run(input, going());
  expect(derived).toMatchObject({
    events: 50,
    tactics: ['discovery', 'discovery'],
    entities: {
      executable: [
        { value: 'cmd.exe', count: 45 },
        { value: 'whoami.exe', count: 5 },
      ],
    },
  });
  const counts = derived!.alerts.markers.reduce<number[]>((sums, { rule: place, count }) => {
    sums[place] = (sums[place] ?? 0) + count;
    return sums;
  }, []);
  expect(counts).toEqual(findings.map(({ count }) => count));
  const { entities, findings: linked } = derived!.intel;
  const programs = linked.map(({ rule: place, entities: places }) => [
    findings[place]!.ruleName,
    places.flatMap((at) => (entities[at]!.type === 'executable' ? [entities[at]!.value] : [])),
  ]);
  expect(Object.fromEntries(programs)).toEqual({ Cmd: ['cmd.exe'], Whoami: ['whoami.exe'] });
});

it('keeps its rules loaded, and takes others when it is given others', async () => {
  const input = await engineWith(rule);
  let loads = 0;
  const counted = (rules: ReadyRules): ReadyRules => ({ ...rules, load: () => ((loads += 1), rules.load()) });
  const first = counted(input.rules!);
  const second = counted(rulesOf(rule.replace('whoami.exe', 'cmd.exe')));
  for (const [rules, count] of [
    [first, 5],
    [first, 5],
    [second, 45],
    [first, 5],
  ] as const) {
    expect((await engine.run({ ...input, rules }, going())).findings).toMatchObject([{ count }]);
  }
  expect(loads).toBe(2);
});

it('is asked for rules again that could not be read', async () => {
  const input = await engineWith(rule);
  const broken = { ...input.rules!, load: () => Promise.reject(new Error('the store is away')) };
  await expect(engine.run({ ...input, rules: broken }, going())).rejects.toThrow('the store is away');
  expect((await engine.run(input, going())).findings).toHaveLength(1);
  await expect(engine.run({ ...input, rules: null }, going())).rejects.toThrow('no rule packs');
});

it('reports damage as warnings', async () => {
  const input = await engineWith(rule);
  const path = join(folder, 'cut.evtx');
  await writeFile(path, (await readFile(small)).subarray(0, 20_000));
  const output = await engine.run({ ...input, path }, going());
  expect(output.warnings.length).toBeGreaterThan(0);
  expect(output.warnings[0]).toMatch(/at byte \d+\)$/);
});

it('finds the same in a large log with several threads', async () => {
  const alone = await engine.run({ ...(await engineWith(rule)), path: large }, going());
  await engine.close();
  const run = going();
  const input = { ...(await engineWith(rule, 1024, 2)), path: large };
  expect(await engine.run(input, run)).toEqual({
    ...alone,
    ruleCosts: expect.objectContaining({ ms: expect.any(Number) }),
  });
  expect(run.progress).toEqual(run.progress.toSorted((a, b) => a - b));
  expect(run.progress.at(-1)).toBe((await stat(large)).size);
});

it.each([1, 2])('stops soon after a cancel and works on, with %i threads for a log', async (threads) => {
  const input = await engineWith(rule, threads * 512, threads);
  await engine.run(input, going());
  const cancel = new AbortController();
  const run = going(cancel.signal);
  const analysis = engine.run({ ...input, path: large }, run);
  while (run.progress.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  const from = performance.now();
  cancel.abort(new Error('cancelled'));
  await expect(analysis).rejects.toThrow('cancelled');
  // Within 200 ms on a machine that does nothing else.
  expect(performance.now() - from).toBeLessThan(2000);
  expect((await engine.run(input, going())).findings).toHaveLength(1);
  await expect(engine.run(input, going(cancel.signal))).rejects.toThrow('cancelled');
});

it('leaves the main thread free, and runs several logs at once', async () => {
  const input = await engineWith(rule);
  const before = nodePerformance.eventLoopUtilization();
  const outputs = await Promise.all([
    engine.run({ ...input, path: large }, going()),
    engine.run({ ...input, path: large }, going()),
  ]);
  expect(outputs.map(({ events }) => events)).toEqual([75_000, 75_000]);
  expect(nodePerformance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
}, 60_000);

it('turns a lack of memory into a failed task, and has a fresh thread for the next', async () => {
  const input = await engineWith(rule.replace('\\whoami', ''), 24);
  // Few events with much in them: what many small ones fill, the collector of garbage goes through for a minute.
  const path = join(folder, 'wide.evtx');
  const log = writeEvtx([event(0, 'whoami.exe', 'x'.repeat(20_000))]);
  await writeFile(
    path,
    Buffer.concat([log.subarray(0, 4096), ...Array.from({ length: 1500 }, () => log.subarray(4096))]),
  );
  const greedy = engine.run({ ...input, path, maxFindingDetails: 1_000_000 }, going());
  await expect(greedy).rejects.toThrow('needed more than its 24 MiB of memory');
  expect((await engine.run(input, going())).findings).toHaveLength(1);
}, 180_000);

it('refuses a file of which nothing can be read, and reads the next one', async () => {
  const garbage = join(folder, 'garbage.evtx');
  await writeFile(garbage, 'Dear all,\n'.repeat(1000));
  const input = await engineWith(rule);
  const run = { signal: new AbortController().signal, onProgress: () => undefined };
  const refused = await engine.run({ ...input, path: garbage }, run).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(NothingRead);
  expect(refused).toMatchObject({ message: expect.stringMatching(/^Nothing could be read\. The file does not begin/) });
  expect((await engine.run(input, run)).events).toBe(50);
});
