import { mkdtempSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wasCutShort } from '../readers/compressed/reading-limits.ts';
import { UnsupportedLogError } from '../readers/unsupported-log-error.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { writeEvtx } from '../testing/evtx-writer.ts';
import { analyzeFile, threadsFor } from './analyze-file.ts';
import { newControl } from './part-job.ts';
import { runInThread } from './part-threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-threads-'));
const large = join(folder, 'large.evtx');
const larger = join(folder, 'larger.evtx');
const text = `title: Tool started
level: high
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image|endswith: '\\tool.exe'}
  condition: selection
`;
const { rules } = loadRules([{ path: 'rules.yml', text }]);
const options = { rules, logType: 'auto', maxSamples: 3 } as const;

beforeAll(async () => {
  const event = (second: number) => ({
    provider: 'Microsoft-Windows-Sysmon',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: `ws${second}`,
    eventId: 1,
    time: `2026-08-01T10:00:${String((second * 7) % 60).padStart(2, '0')}Z`,
    data: { Image: `C:\\${second % 10 === 0 ? 'tool' : 'other'}.exe` },
  });
  const log = writeEvtx(Array.from({ length: 200 }, (_, second) => event(second)));
  const chunks = Array.from({ length: 200 }, () => log.subarray(4096));
  // Damage in the middle, so that it is not the first part's.
  const damaged = chunks.with(100, log.slice(4096).fill(0xff, 512, 2000));
  await writeFile(large, Buffer.concat([log.subarray(0, 4096), ...damaged]));
  const file = await open(larger, 'w');
  await file.write(log.subarray(0, 4096));
  for (let i = 0; i < 50; i++) await file.write(Buffer.concat(chunks));
  await file.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('gives the same bytes whatever the number of threads, and again with threads that were kept', async () => {
  const alone = await analyzeFile(large, { ...options, threads: 1 });
  expect(alone.events).toBeGreaterThan(39_000);
  expect(alone.problems.map(({ code }) => code)).toContain('record-header');
  for (const threads of [2, 3, 2]) {
    expect(JSON.stringify(await analyzeFile(large, { ...options, threads }))).toBe(JSON.stringify(alone));
  }
});

it('gives the same bytes from another thread, several files at the same time', async () => {
  const lines = join(folder, 'lines.json');
  const event = { EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', Image: 'C:\\tool.exe' };
  await writeFile(lines, `${JSON.stringify(event)}\n`.repeat(50));
  const packed = join(folder, 'lines.json.gz');
  await writeFile(packed, gzipSync(`${JSON.stringify(event)}\n`.repeat(50)));
  const paths = [lines, large, packed, lines];
  const alone = await Promise.all(paths.map((path) => analyzeFile(path, { ...options, threads: 1 })));
  const aside = await Promise.all(paths.map((path) => analyzeFile(path, { ...options, threads: 1, aside: true })));
  expect(aside[0]!.findings).toMatchObject([{ count: 50 }]);
  expect(JSON.stringify(aside)).toBe(JSON.stringify(alone));
  const notes = join(folder, 'notes.txt');
  await writeFile(notes, 'Dear all,\n');
  await expect(analyzeFile(notes, { ...options, aside: true })).rejects.toThrow(UnsupportedLogError);
  const refused = analyzeFile(larger, { ...options, threads: 1, aside: true, signal: AbortSignal.timeout(50) });
  await expect(refused).rejects.toThrow(/timeout/);
});

it('reads again what correlations show of an event log, and nothing where a log is only read forward', async () => {
  const often =
    'correlation: {type: event_count, rules: [tool], group-by: [Computer], timespan: 1m, condition: {gte: 3}}';
  const several = loadRules([
    { path: 'rules.yml', text: text.replace('level', 'name: tool\nlevel') },
    { path: 'often.yml', text: `title: Often\n${often}\n` },
  ]).rules;
  const asked = { ...options, rules: several, threads: 1 } as const;
  const { findings } = await analyzeFile(large, asked);
  expect(findings).toMatchObject([{ ruleName: 'Often', samples: [{}, {}, {}] }]);
  const packed = join(folder, 'large.evtx.gz');
  await writeFile(packed, gzipSync(await readFile(large), { level: 1 }));
  expect((await analyzeFile(packed, asked)).findings).toEqual(findings);
  expect((await analyzeFile(large, { ...asked, threads: 2 })).findings).toEqual(findings);
  const kept = await analyzeFile(large, { ...asked, raw: { maxBytes: 1 } });
  expect(kept.findings).toEqual(findings);
});

it('reads lines again that correlations show, with any number of threads and from gzip', async () => {
  const secondOf = (line: number): number => (line < 99_990 ? line * 100 : 99_990 * 100 + line - 99_990);
  const lines = Array.from({ length: 100_000 }, (_, line) => {
    const SystemTime = new Date(Date.UTC(2026, 0, 1) + secondOf(line) * 1000).toISOString();
    const Channel = 'Microsoft-Windows-Sysmon/Operational';
    return JSON.stringify({ EventID: 1, Channel, SystemTime, Computer: 'ws', Image: 'C:\\tool.exe', Number: line });
  });
  const path = join(folder, 'often.json');
  await writeFile(path, lines.join('\n'));
  const packed = join(folder, 'often.json.gz');
  await writeFile(packed, gzipSync(lines.join('\n'), { level: 1 }));
  const often = 'correlation: {type: event_count, rules: [tool], timespan: 1m, condition: {gte: 5}}';
  const several = loadRules([
    { path: 'rules.yml', text: text.replace('level', 'name: tool\nlevel') },
    { path: 'often.yml', text: `title: Often\n${often}\n` },
  ]).rules;
  const found = await Promise.all(
    [
      { path, threads: 1 },
      { path, threads: 2 },
      { path: packed, threads: 1 },
    ].map((one) => analyzeFile(one.path, { ...options, rules: several, threads: one.threads })),
  );
  expect(found[0]!.findings).toMatchObject([
    { ruleName: 'Often', count: 10, samples: [99_990, 99_991, 99_992].map((Number) => ({ fields: { Number } })) },
  ]);
  expect(found[1]!.findings).toEqual(found[0]!.findings);
  expect(found[2]!.findings).toEqual(found[0]!.findings);
});

it('uses the rules of each analysis', async () => {
  const other = loadRules([{ path: 'rules.yml', text: text.replace('tool.exe', 'other.exe') }]).rules;
  const [first, second] = await Promise.all([
    analyzeFile(large, { ...options, threads: 2 }),
    analyzeFile(large, { ...options, rules: other, threads: 2 }),
  ]);
  expect(second.findings[0]!.count).toBeGreaterThan(8 * first.findings[0]!.count);
});

it('tells how far all threads together have come, rising to the size of the file', async () => {
  const done: number[] = [];
  const { size } = await open(large).then(async (file) => {
    const stat = await file.stat();
    await file.close();
    return stat;
  });
  await analyzeFile(large, { ...options, threads: 2, onProgress: (bytes) => void done.push(bytes) });
  expect(done.length).toBeGreaterThan(4);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done.at(-1)).toBe(size);
});

it('stops soon after a cancel, with its reason, and leaves the threads fit for the next log', async () => {
  const cancel = new AbortController();
  const reason = new Error('enough');
  let cancelled = 0;
  const refused = analyzeFile(larger, {
    ...options,
    threads: 2,
    signal: cancel.signal,
    onProgress: () => {
      if (cancelled > 0) return;
      cancelled = performance.now();
      cancel.abort(reason);
    },
  });
  await expect(refused).rejects.toBe(reason);
  // Within 200 ms on a machine that does nothing else.
  expect(performance.now() - cancelled).toBeLessThan(2000);
  expect((await analyzeFile(large, { ...options, threads: 2 })).findings).toHaveLength(1);
  await expect(analyzeFile(large, { ...options, threads: 2, signal: cancel.signal })).rejects.toBe(reason);
});

it('refuses what nothing reads, and names the file that is not there', async () => {
  const unknown = join(folder, 'unknown.bin');
  await writeFile(unknown, Buffer.alloc(9 * 1024 * 1024, 1));
  await expect(analyzeFile(unknown, { ...options, threads: 2 })).rejects.toBeInstanceOf(UnsupportedLogError);
  await expect(analyzeFile(join(folder, 'missing.evtx'), { ...options, threads: 2 })).rejects.toThrow(/missing\.evtx/);
});

it('reads a log of JSON lines in parts, and one that is not what it seemed in one piece', async () => {
  const event = { EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', Image: 'C:\\tool.exe' };
  const lines = `${JSON.stringify(event)}\n`.repeat(400_001);
  const sound = join(folder, 'sound.json');
  await writeFile(sound, lines);
  // Where the list begins, the lines behind are elements of it.
  const odd = join(folder, 'odd.json');
  await writeFile(odd, `${JSON.stringify(event)}\n[\n${lines}`);
  for (const [path, events] of [
    [sound, 400_001],
    [odd, 400_002],
  ] as const) {
    const done: number[] = [];
    const onProgress = (bytes: number): void => void done.push(bytes);
    const alone = await analyzeFile(path, { ...options, threads: 1 });
    const together = await analyzeFile(path, { ...options, threads: 2, onProgress });
    expect(alone.events).toBe(events);
    expect(JSON.stringify(together)).toBe(JSON.stringify(alone));
    expect(done).toEqual(done.toSorted((a, b) => a - b));
  }
});

it('fails with the reason of a thread that fails, and works on', async () => {
  const control = newControl();
  const job = {
    path: large,
    logType: 'evtx',
    size: 1,
    cuts: [0],
    match: { maxSamples: 1 },
    read: {},
    control,
    seconds: Number.POSITIVE_INFINITY,
  } as const;
  const request = { job, rules: { id: -1, bytes: new Uint8Array(64) } };
  await expect(
    runInThread(
      request,
      () => {},
      () => {},
    ),
  ).rejects.toThrow(/rules/);
  expect((await analyzeFile(large, { ...options, threads: 2 })).findings).toHaveLength(1);
});

it('starts threads only for what they are worth', () => {
  const mebibyte = 1024 * 1024;
  expect([1, 2, 3, 4, 16].map((cores) => threadsFor(40 * mebibyte, cores))).toEqual([1, 1, 1, 4, 16]);
  expect([1, 2, 8].map((cores) => threadsFor(512 * mebibyte, cores))).toEqual([1, 2, 8]);
  expect(threadsFor(31 * mebibyte, 16)).toBe(1);
});

it.each([1, 2])(
  'with %d threads reads no further when its processor time is over, and keeps what it has found',
  async (threads) => {
    const { events, findings, problems } = await analyzeFile(larger, { ...options, threads, seconds: 0.2 });
    expect(events).toBeGreaterThan(0);
    // Of almost two million.
    expect(events).toBeLessThan(1_900_000);
    expect(findings[0]?.count).toBeGreaterThan(0);
    expect(wasCutShort(problems)).toBe(true);
  },
);

it('reads all of what takes no longer than it may', async () => {
  const { problems } = await analyzeFile(large, { ...options, threads: 1, seconds: 600 });
  expect(wasCutShort(problems)).toBe(false);
});
