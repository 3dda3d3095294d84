import { describe, expect, it, type MockInstance, vi } from 'vitest';
import { analyze } from './analyze.ts';
import type { AnalyzeOptions } from './analyze-options.ts';
import type { Analysis, FoundSoFar } from './findings.ts';
import type { Period } from './matching/period.ts';
import type { ByteSource } from './readers/reader.ts';
import { UnsupportedLogError } from './readers/unsupported-log-error.ts';
import { loadRules } from './sigma/load-rules.ts';
import type { EvtxEvent } from './testing/evtx-element.ts';
import { writeEvtx } from './testing/evtx-writer.ts';
import { sourceOf } from './testing/read-all.ts';

const ruleFile = `title: Tool started
id: 6A0C1F4E-2D0B-4B2C-9C58-7A4F2C9D1E01
name: tool
status: test
level: high
author: Somebody
tags: [attack.execution]
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image|endswith: '\\tool.exe'}
  condition: selection
---
title: Anything started
level: low
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image: '*'}
  condition: selection
`;
const { rules } = loadRules([{ path: 'rules.yml', text: ruleFile }]);
const minutes = [7, 3, 9, 1, 8, 3, 5, 2, 6, 4, 0, 10, 11];

function started(minute: number, image = 'C:\\Temp\\tool.exe'): EvtxEvent {
  return {
    provider: 'Microsoft-Windows-Sysmon',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: 'ws-01.example.test',
    eventId: 1,
    time: new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString(),
    data: { Image: image, ProcessId: minute },
  };
}

function run(bytes: Uint8Array | string, options: Partial<AnalyzeOptions> = {}): Promise<Analysis> {
  const given = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return analyze(sourceOf(given), { rules, logType: 'auto', maxSamples: 10, ...options });
}

const log = writeEvtx(
  minutes.map((minute) => started(minute)),
  { recordsPerChunk: 4 },
);

/** As many bytes as asked for, made of one chunk again and again, given out as slowly as a file is. */
function endless(size: number, onRead: () => void = () => {}): ByteSource {
  const chunk = log.subarray(4096, 4096 + 65_536);
  return {
    size,
    async read(offset, into) {
      await new Promise(setImmediate);
      onRead();
      const length = Math.min(into.length, size - offset);
      for (let at = 0; at < length;) {
        const from = offset + at;
        const piece = from < 4096 ? log.subarray(from, 4096) : chunk.subarray((from - 4096) % 65_536);
        const part = piece.subarray(0, length - at);
        into.set(part, at);
        at += part.length;
      }
      return length;
    },
  };
}

const named = (title: string, level: string, image: string): string =>
  `title: ${title}\nlevel: ${level}\nlogsource: {category: process_creation}\n` +
  `detection: {a: {Image|endswith: '${image}'}, condition: a}\n`;

const line = (time: string | null): string =>
  JSON.stringify({
    Event: {
      System: {
        EventID: 1,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        ...(time && { TimeCreated: { '#attributes': { SystemTime: time } } }),
      },
      EventData: { Image: String(time) },
    },
  });

describe('analyze', () => {
  it('says of each rule what it is and how often and when it matched', async () => {
    const { logType, events, findings, problems } = await run(log);
    expect({ logType, events, problems }).toEqual({ logType: 'evtx', events: minutes.length, problems: [] });
    expect(findings).toMatchObject([
      {
        ruleId: '6a0c1f4e-2d0b-4b2c-9c58-7a4f2c9d1e01',
        ruleName: 'Tool started',
        severity: 'high',
        tags: ['attack.execution'],
        author: 'Somebody',
        count: minutes.length,
        first: '2026-03-01T10:00:00.0000000Z',
        last: '2026-03-01T10:11:00.0000000Z',
      },
      {
        ruleId: null,
        ruleName: 'Anything started',
        severity: 'low',
        tags: [],
        author: null,
        count: minutes.length,
        first: '2026-03-01T10:00:00.0000000Z',
        last: '2026-03-01T10:11:00.0000000Z',
      },
    ]);
    expect(findings[0]!.ruleSource).toContain('title: Tool started');
    expect(findings[0]!.ruleSource).not.toContain('Anything');
  });

  it('measures what rules take, of all records or of one in so many', async () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, at) => line(`t${at % 3}`)).join('\n');
    const found = `${named('Third', 'low', 't0')}---\n${named('Never', 'low', 'elsewhere')}`;
    const options = { rules: loadRules([{ path: 'r.yml', text: found }]).rules };
    expect((await run(lines(30), options)).costs).toBeNull();
    const all = await run(lines(30), { ...options, costs: { oneIn: 1 } });
    expect(all.costs).toEqual([{ rule: 0, tries: 10, hits: 10, ms: expect.any(Number) }]);
    const long = named('Slow', 'low', '').replace("Image|endswith: ''", () => "Image|re: '^(a+b?)+c$'");
    const slow = { rules: loadRules([{ path: 'r.yml', text: long }]).rules, costs: { oneIn: 1 } };
    const values = Array.from({ length: 200 }, (_, at) => line(`${'a'.repeat(2000 + at)}c`));
    // The first run: what a pattern says of a value is remembered for the next.
    const [taken] = (await run(values.join('\n'), slow)).costs!;
    expect(taken).toMatchObject({ tries: 200, hits: 200 });
    expect(taken!.ms).toBeGreaterThan(0);
    // Every third record: whoever took each of so many as well would find all of them or none.
    const [cost] = (await run(lines(30_000), { ...options, costs: { oneIn: 9 } })).costs!;
    expect(cost!.tries % 9).toBe(0);
    expect(cost!.tries).toBeGreaterThan(8000);
    expect(cost!.tries).toBeLessThan(12_000);
    expect(cost!.hits).toBe(cost!.tries);
  });

  it('matches the events of a period only, and counts the others', async () => {
    const at = (minute: string): number => Date.parse(`2026-03-01T10:${minute}:00Z`);
    const counts = async (period: Period): Promise<number[]> => {
      const { events, passedOver, findings } = await run(log, { period });
      return [events, passedOver.outside, findings[0]?.count ?? 0];
    };
    const all = minutes.length;
    expect(await counts({})).toEqual([all, 0, all]);
    expect(await counts({ from: at('03') })).toEqual([all, 3, all - 3]);
    expect(await counts({ to: at('03') })).toEqual([all, all - 3, 3]);
    expect(await counts({ from: at('03'), to: at('04') })).toEqual([all, all - 2, 2]);
    const any = loadRules([{ path: 'r.yml', text: named('Any', 'low', '') }]).rules;
    const untimed = `${line(null)}\n${line('2026-03-01T10:03:00.123456Z')}\n`;
    const given = await run(untimed, { rules: any, period: { from: at('03') } });
    expect(given).toMatchObject({ events: 2, passedOver: { outside: 0, untimed: 1 }, findings: [{ count: 1 }] });
    expect((await run(untimed, { rules: any })).findings).toMatchObject([{ count: 2 }]);
  });

  it('counts what a log consists of when asked, whatever the period', async () => {
    expect((await run(log)).statistics).toBeNull();
    const channel = 'Microsoft-Windows-Sysmon/Operational';
    const mixed = writeEvtx([started(5), { ...started(1), eventId: 3 }, started(7)]);
    expect((await run(mixed, { statistics: true, period: { to: 0 } })).statistics).toEqual({
      first: '2026-03-01T10:01:00.0000000Z',
      last: '2026-03-01T10:07:00.0000000Z',
      kinds: [
        { channel, eventId: '1', count: 2 },
        { channel, eventId: '3', count: 1 },
      ],
    });
  });

  it('names the computers of a finding in the order met', async () => {
    const computers = ['c', 'a', 'c', 'b'];
    const events = computers.map((computer, minute) => ({ ...started(9 - minute), computer }));
    expect((await run(writeEvtx(events), { maxSamples: 1 })).findings[0]!.computers).toEqual(['c', 'a', 'b']);
  });

  it.each([
    [0, [0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    [1, [0]],
    [10, [0, 1, 2, 3, 3, 4, 5, 6, 7, 8]],
    [100, [0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
  ])('keeps the earliest samples in time order and counts all: at most %i', async (maxSamples, expected) => {
    for (const { count, samples } of (await run(log, { maxSamples })).findings) {
      expect(count).toBe(minutes.length);
      expect(samples.map(({ timestamp }) => Number(timestamp?.slice(14, 16)))).toEqual(expected);
    }
  });

  it('gives samples as flat records, in the order of the input where times are equal', async () => {
    const { findings } = await run(log, { maxSamples: 5 });
    const [, , , third, fourth] = findings[0]!.samples;
    expect([third!.recordId, fourth!.recordId]).toEqual(['2', '6']);
    expect(third).toMatchObject({
      computer: 'ws-01.example.test',
      channel: 'Microsoft-Windows-Sysmon/Operational',
      eventId: '1',
      fields: { Image: 'C:\\Temp\\tool.exe', ProcessId: 3, EventID: 1 },
    });
  });

  it('sorts findings by severity, then count, then name', async () => {
    const text = [
      named('B', 'low', 'e'),
      named('Z', 'critical', '1.exe'),
      named('A', 'low', 'e'),
      named('C', 'low', '2.exe'),
      named('M', 'medium', 'e'),
      named('Never', 'high', 'never'),
    ].join('---\n');
    const sorted = loadRules([{ path: 'r.yml', text }]).rules;
    const events = ['a1.exe', 'a2.exe', 'a3.exe'].map((image) => started(1, image));
    const { findings } = await run(writeEvtx(events), { rules: sorted });
    expect(findings.map(({ ruleName, count }) => `${ruleName} ${count}`)).toEqual(['Z 1', 'M 3', 'A 3', 'B 3', 'C 1']);
  });

  it('compares times whatever their precision, and puts records without one last', async () => {
    const times = [null, '2026-03-01T10:00:00.5Z', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00.25Z'];
    const [finding] = (await run(times.map(line).join('\n'))).findings;
    expect(finding!.samples.map(({ fields }) => fields.Image)).toEqual([times[2], times[3], times[1], 'null']);
    expect(finding).toMatchObject({ count: 4, first: times[2], last: times[1] });
  });

  it('gives the same result for the same input and rules, also while others run', async () => {
    const alone = JSON.stringify(await run(log));
    const both = await Promise.all([run(log), run(log.slice(0, 4096 + 65_536)), run(log)]);
    expect(JSON.stringify(both[0])).toBe(alone);
    expect(JSON.stringify(both[2])).toBe(alone);
    expect(both[1].events).toBe(4);
  });

  it('reports damage beside what was found', async () => {
    const damaged = log.slice();
    damaged.fill(0xff, 4096 + 600, 4096 + 3000);
    const { events, findings, problems } = await run(damaged);
    expect(events).toBeLessThan(minutes.length);
    expect(findings[0]!.count).toBe(events);
    expect(problems.length).toBeGreaterThan(0);
  });

  it.each([
    ['no log', 'auto', 'unknown', /no kind of log/],
    ['', 'auto', 'unknown', /no kind of log/],
    ['anything', 'unknown', 'unknown', /no kind of log/],
  ] as const)('refuses what nothing reads: %j as %s', async (text, logType, found, reason) => {
    const refused = await run(text, { logType }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnsupportedLogError);
    expect(refused).toMatchObject({ name: 'UnsupportedLogError', logType: found });
    expect(String(refused)).toMatch(reason);
  });

  it('passes on the errors of the source, and works on afterwards', async () => {
    const broken: ByteSource = {
      size: log.length,
      read: async (offset, into) => {
        if (offset > 0) throw new Error('disk gone');
        return sourceOf(log).read(offset, into);
      },
    };
    await expect(analyze(broken, { rules, logType: 'evtx', maxSamples: 1 })).rejects.toThrow('disk gone');
    expect((await run(log)).findings[0]!.count).toBe(minutes.length);
  });
});

describe('progress', () => {
  const xmlEvent =
    '<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><EventID>1</EventID></System></Event>';

  it.each([
    ['an event log', endless(4096 + 65_536 * 200)],
    ['JSON', sourceOf(new TextEncoder().encode('{"Event":{"System":{"EventID":1}}}\n'.repeat(60_000)))],
    ['XML', sourceOf(new TextEncoder().encode(`<Events>${xmlEvent.repeat(40_000)}</Events>`))],
  ])('rises to the size of %s', async (_, source) => {
    const done: number[] = [];
    await analyze(source, { rules, logType: 'auto', maxSamples: 1, onProgress: (bytes) => done.push(bytes) });
    expect(done.length).toBeGreaterThan(1);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(source.size);
  });

  it('can be asked what was found so far, in the end all of it', async () => {
    let soFar: () => FoundSoFar = () => ({ events: 0, matches: [] });
    const seen: FoundSoFar[] = [];
    const { events, findings } = await analyze(endless(4096 + 65_536 * 200), {
      rules,
      logType: 'auto',
      maxSamples: 1,
      onReading: (ask) => (soFar = ask),
      onProgress: () => seen.push(soFar()),
    });
    const counts = seen.map((found) => found.events);
    expect(counts.length).toBeGreaterThan(2);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(seen.at(-1)?.events).toBe(events);
    expect(seen.at(-1)?.matches.map(({ count }) => count)).toEqual(findings.map(({ count }) => count));
  });
});

describe('matched events', () => {
  it.each([
    ['not written out where they are only counted', {}, 0],
    // The sample's, written out before it is told of, is kept with the others.
    ['written out where matches are kept', { raw: { maxBytes: 1e6 } }, 4],
  ])('that are no samples are %s', async (_, kept, times) => {
    // Rules of its own, since events are used again by the next analysis with the same ones.
    const own = loadRules([{ path: 'rule.yml', text: ruleFile.split('---')[0]! }]).rules;
    const written = new Map<unknown, MockInstance>();
    await run(writeEvtx([1, 2, 3, 4, 5].map((minute) => started(minute))), {
      ...kept,
      rules: own,
      maxSamples: 1,
      // Told of a match when its sample has been kept.
      onMatch: (_rule, event) => void written.set(event, written.get(event) ?? vi.spyOn(event, 'toRecord')),
    });
    expect([...written.values()].flatMap(({ mock }) => mock.calls)).toHaveLength(times);
  });
});

describe('cancellation', () => {
  const huge = 4096 + 65_536 * 100_000;

  it('comes with the next read, with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let reads = 0;
    const source = endless(huge, () => {
      if (++reads === 20) controller.abort(reason);
    });
    await expect(analyze(source, { rules, logType: 'evtx', maxSamples: 10, signal: controller.signal })).rejects.toBe(
      reason,
    );
    expect(reads).toBeLessThan(23);
  });

  it('is seen before anything is read', async () => {
    let reads = 0;
    const source = endless(huge, () => reads++);
    const refused = analyze(source, { rules, logType: 'evtx', maxSamples: 10, signal: AbortSignal.abort() });
    await expect(refused).rejects.toMatchObject({ name: 'AbortError' });
    expect(reads).toBe(0);
  });

  it('leaves the rules fit for the next log', async () => {
    const controller = new AbortController();
    const source = endless(huge, () => controller.abort());
    await expect(
      analyze(source, { rules, logType: 'evtx', maxSamples: 10, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    expect((await run(log)).findings[0]!.count).toBe(minutes.length);
  });
});
