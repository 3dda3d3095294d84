import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import type { Finding } from '../findings.ts';
import { packRules, unpackRules } from '../sigma/artifact.ts';
import { loadRules } from '../sigma/load-rules.ts';

interface Logon {
  readonly at: number;
  readonly id?: number;
  readonly user?: string;
  readonly ip?: string;
  readonly size?: string;
}

/** A Windows log of JSON lines, one logon event each, `at` seconds after midnight. */
function log(logons: readonly Logon[]): Uint8Array {
  const lines = logons.map(({ at, id = 4625, user = 'alice', ip = '10.0.0.1', size }, record) =>
    JSON.stringify({
      Channel: 'Security',
      Provider_Name: 'Microsoft-Windows-Security-Auditing',
      EventID: id,
      EventRecordID: record + 1,
      Computer: 'DC01',
      SystemTime: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
      TargetUserName: user,
      ...(ip !== '' && { IpAddress: ip }),
      ...(size !== undefined && { Size: size }),
    }),
  );
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

const rule = (name: string, id: number): string => `
title: ${name}
name: ${name}
status: test
level: low
logsource: {product: windows, service: security}
detection: {selection: {EventID: ${id}}, condition: selection}
---`;

async function runRules(text: string, logons: readonly Logon[]): Promise<readonly Finding[]> {
  const { rules, rejected } = loadRules([{ path: 'rules.yml', text }]);
  expect(rejected).toEqual([]);
  const bytes = log(logons);
  const source = {
    size: bytes.length,
    read: (offset: number, into: Uint8Array) => {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return Promise.resolve(part.length);
    },
  };
  const options = { logType: 'json_evtx', maxSamples: 10 } as const;
  const { findings } = await analyze(source, { rules, ...options });
  const packed = await analyze(source, { rules: unpackRules(packRules(rules)), ...options });
  expect(packed.findings).toEqual(findings);
  return findings;
}

/** Runs one correlation over the rules `failed`, `success` and `cleared`. */
function run(correlation: string, logons: readonly Logon[]): Promise<readonly Finding[]> {
  const rules = rule('failed', 4625) + rule('success', 4624) + rule('cleared', 1102);
  return runRules(`${rules}\ntitle: Correlated\nlevel: high\ncorrelation:\n${indented(correlation)}\n`, logons);
}

const indented = (text: string): string => text.replace(/^/gm, '  ');
const counts = (findings: readonly Finding[]): Record<string, number> =>
  Object.fromEntries(findings.map(({ ruleName, count }) => [ruleName, count]));
const failures = (times: readonly number[], more: Partial<Logon> = {}): Logon[] => times.map((at) => ({ at, ...more }));

describe('event_count', () => {
  const brute = 'type: event_count\nrules: failed\ngroup-by: [TargetUserName]\ntimespan: 1m\ncondition: {gte: 3}';

  it('fires per group within the closed timespan, and silences the rules it uses', async () => {
    expect(counts(await run(brute, failures([0, 30, 60])))).toEqual({ Correlated: 3 });
    expect(counts(await run(brute, failures([0, 30, 61])))).toEqual({});
    expect(counts(await run(brute, [...failures([0, 30]), ...failures([40], { user: 'bob' })]))).toEqual({});
  });

  it('joins overlapping windows to one burst and counts each event once', async () => {
    expect(counts(await run(brute, failures([0, 10, 20, 70, 80, 500])))).toEqual({ Correlated: 5 });
  });

  it('compares group values without case and leaves out events that lack one', async () => {
    const grouped = brute.replace('TargetUserName', 'IpAddress');
    expect(counts(await run(brute, [...failures([0, 1], { user: 'Bob' }), ...failures([2], { user: 'BOB' })]))).toEqual(
      {
        Correlated: 3,
      },
    );
    expect(counts(await run(grouped, failures([0, 1, 2], { ip: '' })))).toEqual({});
  });

  it('sorts what is out of order', async () => {
    const [finding] = await run(brute, failures([60, 0, 30]));
    expect(finding?.samples.map(({ timestamp }) => timestamp?.slice(14, 19))).toEqual(['00:00', '00:30', '01:00']);
  });

  it('keeps the findings of its rules when it says generate', async () => {
    expect(counts(await run(`${brute}\ngenerate: true`, failures([0, 1, 2])))).toEqual({ Correlated: 3, failed: 3 });
  });

  it('takes windows one after another for conditions that do not rise', async () => {
    const few = brute.replace('{gte: 3}', '{lt: 3}');
    expect(counts(await run(few, failures([0, 10, 20])))).toEqual({});
    expect(counts(await run(few, failures([0, 10, 100, 110, 120])))).toEqual({ Correlated: 2 });
    expect(counts(await run(brute.replace('{gte: 3}', '{gte: 2, lte: 3}'), failures([0, 10, 20, 30])))).toEqual({});
  });
});

describe('values', () => {
  const spray =
    'type: value_count\nrules: failed\ngroup-by: [IpAddress]\ntimespan: 5m\ncondition: {field: TargetUserName, gte: 3}';
  const users = (...names: string[]): Logon[] => names.map((user, at) => ({ at, user }));
  const sizes = (...all: string[]): Logon[] => all.map((size, at) => ({ at, size }));
  const of = (type: string, condition: string): string =>
    `type: ${type}\nrules: failed\ntimespan: 1h\ncondition: {field: Size, ${condition}}`;

  it('counts distinct values', async () => {
    expect(counts(await run(spray, users('a', 'b', 'c')))).toEqual({ Correlated: 3 });
    expect(counts(await run(spray, users('a', 'b', 'B')))).toEqual({});
  });

  it.each([
    ['value_sum', 'gte: 60', ['10', '20', '30'], 3],
    ['value_sum', 'gt: 60', ['10', '20', '30', 'x'], undefined],
    ['value_avg', 'gte: 20', ['10', '30'], 2],
    ['value_median', 'eq: 20', ['1', '20', '100'], 3],
    ['value_percentile', 'percentile: 50, eq: 15', ['10', '20'], 2],
    ['value_percentile', 'eq: 75', ['a', 'a', 'a', 'b'], 4],
    ['value_avg', 'gte: 0', ['x'], undefined],
  ])('%s with %s over %j', async (type, condition, all, count) => {
    expect(counts(await run(of(type, condition), sizes(...all))).Correlated).toBe(count);
  });
});

describe('temporal', () => {
  const both = 'type: temporal\nrules: [failed, success]\ngroup-by: [TargetUserName]\ntimespan: 1m';
  const ordered = both.replace('temporal', 'temporal_ordered');

  it('wants every rule in the window, in any order or in that of the list', async () => {
    const after: Logon[] = [{ at: 0 }, { at: 10, id: 4624 }];
    const before: Logon[] = [{ at: 0, id: 4624 }, { at: 10 }];
    const tie: Logon[] = [{ at: 5, id: 4624 }, { at: 5 }];
    expect(counts(await run(both, before))).toEqual({ Correlated: 2 });
    expect(counts(await run(both, [{ at: 0 }, { at: 100, id: 4624 }]))).toEqual({});
    expect(counts(await run(ordered, after))).toEqual({ Correlated: 2 });
    expect(counts(await run(ordered, before))).toEqual({});
    expect(counts(await run(ordered, tie))).toEqual({ Correlated: 2 });
  });

  it('takes a number of distinct rules, or an expression over them', async () => {
    const three = 'type: temporal\nrules: [failed, success, cleared]\ntimespan: 1m\ncondition: ';
    expect(counts(await run(`${three}{gte: 2}`, [{ at: 0 }, { at: 1, id: 1102 }]))).toEqual({ Correlated: 2 });
    expect(counts(await run(`${three}failed and not success`, [{ at: 0 }]))).toEqual({ Correlated: 1 });
    expect(counts(await run(`${three}failed and success`, [{ at: 0 }]))).toEqual({});
  });

  it('reads a group field under another name per rule', async () => {
    const aliased = `${both.replace('[TargetUserName]', '[who]')}
aliases: {who: {failed: TargetUserName, success: IpAddress}}`;
    expect(
      counts(
        await run(aliased, [
          { at: 0, user: 'x' },
          { at: 1, id: 4624, ip: 'X' },
        ]),
      ),
    ).toEqual({ Correlated: 2 });
  });
});

describe('chains and references', () => {
  const load = (correlations: string): string[] =>
    loadRules([{ path: 'r.yml', text: `${rule('failed', 4625)}\n${correlations}` }]).rejected.map(
      ({ message }) => message,
    );
  const one = (name: string, rules: string): string =>
    `title: ${name}\nname: ${name}\ncorrelation: {type: event_count, rules: ${rules}, timespan: 1m, condition: {gte: 1}}\n`;

  it('feeds an outer correlation with the firings of an inner one', async () => {
    const inner =
      'type: event_count\nrules: failed\ngroup-by: [IpAddress, TargetUserName]\ntimespan: 1m\ncondition: {gte: 2}';
    const outer = `title: Outer
level: critical
correlation: {type: event_count, rules: inner, group-by: [IpAddress], timespan: 1h, condition: {gte: 2}}`;
    const text = `${rule('failed', 4625)}\ntitle: Inner\nname: inner\ncorrelation:\n${indented(inner)}\n---\n${outer}\n`;
    const logons = ['a', 'b', 'c'].flatMap((user, at) => failures([at * 100, at * 100 + 1], { user }));
    expect(counts(await runRules(text, logons))).toEqual({ Outer: 3 });
  });

  it('rejects what refers to nothing, to itself or to something rejected', () => {
    expect(load(one('a', 'missing'))).toEqual(['The correlation refers to missing, which is not loaded']);
    expect(load(one('a', 'a'))).toHaveLength(1);
    expect(load(`${one('a', 'b')}---\n${one('b', 'a')}`)).toHaveLength(2);
    expect(load(`${one('a', 'missing')}---\n${one('b', 'a')}`)).toHaveLength(2);
    expect(load(`${one('outer', 'inner')}---\n${one('inner', 'failed')}`)).toEqual([]);
  });

  it.each([
    ['type: event_count, rules: failed, timespan: 1m', 'needs a condition'],
    ['type: value_count, rules: failed, timespan: 1m, condition: {gte: 1}', 'needs a field'],
    ['type: event_count, rules: failed, timespan: 1x, condition: {gte: 1}', 'timespan'],
    ['type: other, rules: failed, timespan: 1m, condition: {gte: 1}', 'unknown'],
    ['type: event_count, rules: [], timespan: 1m, condition: {gte: 1}', 'names no rules'],
    ['type: event_count, rules: failed, timespan: 1m, condition: {above: 1}', 'unknown key'],
    ['type: temporal, rules: failed, timespan: 1m, condition: failed and other', 'other'],
  ])('rejects {%s}', (correlation, reason) => {
    const [message] = load(`title: bad\ncorrelation: {${correlation}}\n`);
    expect(message).toContain(reason);
  });
});
