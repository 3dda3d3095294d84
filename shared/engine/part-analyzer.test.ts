import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../test/support/shared-data.ts';
import { analyze, type AnalyzeOptions } from './analyze.ts';
import type { Analysis } from './findings.ts';
import { Correlator } from './correlation/correlator.ts';
import { PartOrder } from './correlation/part-order.ts';
import { joinParts, PartAnalyzer } from './part-analyzer.ts';
import { cutsFor } from './readers/cuts.ts';
import type { LogType } from './readers/log-type.ts';
import { loadRules } from './sigma/load-rules.ts';
import type { RuleSet } from './sigma/rule-set.ts';
import { writeEvtx } from './testing/evtx-writer.ts';
import { sourceOf } from './testing/read-all.ts';

const rule = (name: string, detection: string): string => `title: ${name}
name: ${name}
level: low
logsource: {product: windows}
detection: {a: ${detection}, condition: a}
`;
const correlation = (name: string, body: string): string => `title: ${name}
name: ${name}
level: high
correlation: {generate: true, group-by: [Computer], timespan: 10m, ${body}}
`;
const { rules: cheap } = loadRules([
  {
    path: 'rules.yml',
    text: [
      rule('every', "{Channel: '*'}"),
      rule('even', "{EventRecordID|endswith: ['0', '2', '4', '6', '8']}"),
      rule('with_exe', "['.exe']"),
      correlation('burst', 'type: event_count, rules: [every], condition: {gte: 3}'),
      correlation('both', 'type: temporal, rules: [even, burst]'),
    ].join('---\n'),
  },
]);

/** Gives up on some values, and takes its time for it. */
const costly = loadRules([
  { path: 'costly.yml', text: rule('costly', `{CommandLine|re: '(?=(${'a*'.repeat(12)})b)'}`) },
]).rules;

/** Reads ranges of about `size` bytes, each by the next analyzer of so many, and joins what they found. */
async function inParts(
  bytes: Uint8Array,
  options: AnalyzeOptions & { logType: LogType },
  size: number,
  analyzers: number,
): Promise<Analysis> {
  const { rules, logType } = options;
  const source = sourceOf(bytes);
  const cuts = await cutsFor(logType)!(source, size);
  const correlator = new Correlator(rules, options.maxSamples);
  const ordered = new PartOrder(correlator.add);
  const parts = Array.from({ length: analyzers }, () => new PartAnalyzer(rules, logType, options, ordered.take));
  for (const [part, from] of cuts.entries()) {
    const range = { from, to: cuts[part + 1] ?? bytes.length };
    await parts[(part * 7) % analyzers]!.read(source, part, { ...options, range });
  }
  const partials = parts.map((analyzer) => structuredClone(analyzer.result()));
  for (const analyzer of parts) analyzer.release();
  return joinParts(rules, logType, options, partials, correlator);
}

async function expectSame(
  bytes: Uint8Array,
  logType: LogType,
  size: number,
  analyzers: number,
  rules: RuleSet = cheap,
): Promise<Analysis> {
  const options = { rules, logType, maxSamples: 3, statistics: true, recoverSlack: true, verifyChecksums: true };
  const whole = await analyze(sourceOf(bytes), options);
  const joined = await inParts(bytes, options, size, analyzers);
  expect(JSON.stringify(joined)).toBe(JSON.stringify(whole));
  return whole;
}

const HEADER = 4096;
const CHUNK = 65_536;
/** Records whose value a regular expression gives up on; the value is one that is remembered. */
const costlyRecords = 6;
/** Times that fall back now and then, and repeat. */
const log = writeEvtx(
  Array.from({ length: 60 }, (_, i) => ({
    provider: 'Microsoft-Windows-Sysmon',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: `ws-${i % 7}`,
    eventId: (i % 5) + 1,
    time: new Date(Date.UTC(2026, 2, 1, 10, (i * 37) % 20)).toISOString(),
    data: { Image: `C:\\${i}.exe`, CommandLine: i < costlyRecords ? 'a'.repeat(3000) : 'short' },
  })),
  { recordsPerChunk: 4 },
);
const chunkCount = (log.length - HEADER) / CHUNK;

describe('an event log read in parts', () => {
  it('gives what one pass gives, with all that can be found', async () => {
    const { findings } = await expectSame(log, 'evtx', CHUNK, 2);
    expect(findings.map(({ ruleName }) => ruleName)).toEqual(['burst', 'both', 'every', 'with_exe', 'even']);
  });

  it('counts what could not be decided, whoever remembers the value', async () => {
    const { problems } = await expectSame(log, 'evtx', CHUNK, 2, costly);
    expect(problems).toMatchObject([{ code: 'regex_limit', count: costlyRecords }]);
  });

  it('gives what one pass gives, whatever the damage, the cuts and the number of readers', async () => {
    const slot = fc.oneof(
      { weight: 6, arbitrary: fc.nat(chunkCount - 1) },
      { weight: 2, arbitrary: fc.constant('empty' as const) },
      { weight: 1, arbitrary: fc.constant('noise' as const) },
    );
    const damaged = fc.record({
      slots: fc.array(slot, { minLength: 1, maxLength: 24 }),
      header: fc.boolean(),
      shift: fc.nat(3),
      edits: fc.array(fc.tuple(fc.nat(24 * CHUNK), fc.nat(255)), { maxLength: 60 }),
      cut: fc.oneof(fc.constant(0), fc.nat(CHUNK)),
      size: fc.integer({ min: 1, max: 6 * CHUNK }),
      analyzers: fc.integer({ min: 1, max: 4 }),
    });
    const property = fc.asyncProperty(damaged, async ({ slots, header, shift, edits, cut, size, analyzers }) => {
      const parts = slots.map((one) => {
        if (one === 'empty') return new Uint8Array(CHUNK);
        if (one === 'noise') return new Uint8Array(CHUNK).fill(0x5a);
        return log.subarray(HEADER + one * CHUNK, HEADER + (one + 1) * CHUNK);
      });
      // Without a header chunks may begin at any multiple of 4096.
      const head = header ? [log.subarray(0, HEADER)] : [new Uint8Array(shift * 4096)];
      const bytes = new Uint8Array(Buffer.concat([...head, ...parts]));
      for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value;
      await expectSame(bytes.subarray(0, bytes.length - cut), 'evtx', size, analyzers);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

describeWithSharedData('real event logs read in parts', () => {
  const folder = sharedData('evtx');
  const names = readdirSync(folder).filter((name) => name.endsWith('.evtx'));

  it.each(names)('%s', async (name) => {
    const bytes = readFileSync(`${folder}/${name}`);
    for (const size of [CHUNK, 3 * CHUNK]) await expectSame(bytes, 'evtx', size, 3);
  });
});
