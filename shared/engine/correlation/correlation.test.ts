import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import type { Analysis, Finding } from '../findings.ts';
import { packRules, unpackRules } from '../sigma/artifact.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { sourceOf } from '../testing/read-all.ts';

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
  return (await analyzed(text, logons)).findings;
}

async function analyzed(text: string, logons: readonly Logon[]): Promise<Analysis> {
  const { rules, rejected } = loadRules([{ path: 'rules.yml', text }]);
  expect(rejected).toEqual([]);
  const source = sourceOf(log(logons));
  const options = { logType: 'json_evtx', maxSamples: 10 } as const;
  const analysis = await analyze(source, { rules, ...options });
  const packed = await analyze(source, { rules: unpackRules(packRules(rules)), ...options });
  expect(packed).toEqual(analysis);
  return analysis;
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

  it('takes 1 to 7 units for a timespan', async () => {
    const spans = { '60s': 60, '1m': 60, '1h': 3600, '1d': 86_400, '1w': 604_800, '1M': 2_629_746, '1y': 31_556_952 };
    for (const [span, seconds] of Object.entries(spans)) {
      const twice = brute.replace('1m', span).replace('3', '2');
      expect(counts(await run(twice, failures([0, seconds])))).toEqual({ Correlated: 2 });
      expect(counts(await run(twice, failures([0, seconds + 1])))).toEqual({});
    }
  });

  it('joins several comparisons by and, equality and its opposite among them', async () => {
    const of = (condition: string): string => brute.replace('{gte: 3}', condition);
    const three = failures([0, 1, 2]);
    expect(counts(await run(of('{gt: 2, lt: 4}'), three))).toEqual({ Correlated: 3 });
    expect(counts(await run(of('{gt: 2, lt: 3}'), three))).toEqual({});
    expect(counts(await run(of('{eq: 3}'), three))).toEqual({ Correlated: 3 });
    expect(counts(await run(of('{neq: 3}'), three))).toEqual({});
    expect(counts(await run(of('{gte: 2, neq: 3}'), [...three, ...failures([100, 101])]))).toEqual({ Correlated: 2 });
    expect(counts(await run(of('{lte: 3}'), three))).toEqual({ Correlated: 3 });
  });

  it('counts an event of two bursts once', async () => {
    // Seconds 0 to 2 hold, 61 does not, 62 holds with the two before it.
    const times = [0, 1, 2, 61, 62, 62.5];
    expect(counts(await run(brute, failures(times)))).toEqual({ Correlated: 6 });
  });

  it('has all events in one group where none is named', async () => {
    const all = brute.replace('group-by: [TargetUserName]\n', '');
    const logons = ['a', 'b', 'c'].map((user, at) => ({ at, user }));
    expect(counts(await run(all, logons))).toEqual({ Correlated: 3 });
  });

  it('groups by several fields together', async () => {
    const both = brute.replace('[TargetUserName]', '[TargetUserName, IpAddress]');
    const from = (ip: string): Logon[] => failures([0, 1], { ip });
    expect(counts(await run(both, [...from('10.0.0.1'), ...from('10.0.0.2')]))).toEqual({});
    expect(counts(await run(both, [...from('10.0.0.1'), ...failures([2])]))).toEqual({ Correlated: 3 });
  });

  it('tells of events that lack a group field', async () => {
    const rules = `${rule('failed', 4625)}\ntitle: Correlated\ncorrelation:\n${indented(brute.replace('TargetUserName', 'IpAddress'))}\n`;
    const { problems } = await analyzed(rules, failures([0, 1, 2], { ip: '' }));
    expect(problems).toMatchObject([{ code: 'correlation-ungrouped', count: 3 }]);
  });

  it('names the rule of each event, the first and last time and the computers', async () => {
    const [finding] = await run(brute.replace('rules: failed', 'rules: [failed, success]'), [
      { at: 0 },
      { at: 1, id: 4624 },
      { at: 2 },
    ]);
    expect(finding?.samples.map(({ fields }) => fields['_rule'])).toEqual(['failed', 'success', 'failed']);
    expect(finding).toMatchObject({ severity: 'high', computers: ['DC01'], first: '2026-01-01T00:00:00.000Z' });
    expect(finding?.last).toBe('2026-01-01T00:00:02.000Z');
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

  it('counts distinct tuples of several fields, and no event that lacks one', async () => {
    const tuples = spray.replace('TargetUserName', '[TargetUserName, Size]').replace('3}', '2}');
    const pairs = (...all: [string, string?][]): Logon[] =>
      all.map(([user, size], at) => ({ at, user, ...(size !== undefined && { size }) }));
    expect(counts(await run(tuples, pairs(['a', '1'], ['a', '2'])))).toEqual({ Correlated: 2 });
    expect(counts(await run(tuples, pairs(['a', '1'], ['A', '1'])))).toEqual({});
    expect(counts(await run(tuples, pairs(['a', '1'], ['b'], ['a', '2'])))).toEqual({ Correlated: 2 });
  });

  it('lets values leave the window', async () => {
    const sum = of('value_sum', 'gte: 30').replace('1h', '1m');
    const at = (all: readonly [number, string][]): Logon[] => all.map(([time, size]) => ({ at: time, size }));
    expect(
      counts(
        await run(
          sum,
          at([
            [0, '20'],
            [61, '10'],
          ]),
        ),
      ),
    ).toEqual({});
    expect(
      counts(
        await run(
          sum,
          at([
            [0, '20'],
            [61, '10'],
            [100, '20'],
          ]),
        ),
      ),
    ).toEqual({ Correlated: 2 });
    const median = of('value_median', 'gte: 20').replace('1h', '1m');
    expect(
      counts(
        await run(
          median,
          at([
            [0, '1'],
            [30, '2'],
            [100, '20'],
          ]),
        ),
      ),
    ).toEqual({ Correlated: 1 });
  });

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
    ['value_sum', 'gte: 30', ['0x10', '14.5', '', 'x'], 2],
    ['value_avg', 'lt: 10', ['5', '6'], 2],
    ['value_avg', 'gt: 10', ['5', '6'], undefined],
    ['value_median', 'gte: 15', ['10', '20'], 2],
    ['value_median', 'gt: 15', ['10', '20'], undefined],
    ['value_percentile', 'percentile: 0, gte: 10', ['30', '10'], 2],
    ['value_percentile', 'percentile: 100, gte: 30', ['10', '30'], 2],
    ['value_percentile', 'percentile: 90, gte: 19', ['10', '20'], 2],
    ['value_percentile', 'percentile: 90, gt: 19', ['10', '20'], undefined],
    ['value_percentile', 'gte: 60', ['a', 'b', 'A'], 3],
    ['value_percentile', 'lt: 10', ['a', 'b'], undefined],
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

  it('wants the order of the list, whatever stands between', async () => {
    const three = 'type: temporal_ordered\nrules: [failed, success, cleared]\ntimespan: 1m';
    const ids = (...all: number[]): Logon[] => all.map((id, at) => ({ at, id }));
    expect(counts(await run(three, ids(4625, 4624, 1102)))).toEqual({ Correlated: 3 });
    expect(counts(await run(three, ids(4624, 4625, 1102, 4624, 4625, 1102)))).toEqual({ Correlated: 6 });
    expect(counts(await run(three, ids(1102, 4624, 4625)))).toEqual({});
    expect(counts(await run(three, [{ at: 0 }, { at: 30, id: 4624 }, { at: 61, id: 1102 }]))).toEqual({});
    expect(counts(await run(`${three}\ncondition: {gte: 2}`, ids(4625, 1102)))).toEqual({ Correlated: 2 });
    expect(counts(await run(`${three}\ncondition: {gte: 2}`, ids(1102, 4625)))).toEqual({});
  });

  it('takes a number of distinct rules, or an expression over them', async () => {
    const three = 'type: temporal\nrules: [failed, success, cleared]\ntimespan: 1m\ncondition: ';
    expect(counts(await run(`${three}{gte: 2}`, [{ at: 0 }, { at: 1, id: 1102 }]))).toEqual({ Correlated: 2 });
    expect(counts(await run(`${three}failed and not success`, [{ at: 0 }]))).toEqual({ Correlated: 1 });
    expect(counts(await run(`${three}failed and success`, [{ at: 0 }]))).toEqual({});
    const either = `${three}failed and (success or Cleared)`;
    expect(counts(await run(either, [{ at: 0 }, { at: 1, id: 1102 }]))).toEqual({ Correlated: 2 });
    expect(
      counts(
        await run(either, [
          { at: 0, id: 4624 },
          { at: 1, id: 1102 },
        ]),
      ),
    ).toEqual({});
    expect(
      counts(
        await run(`${three}2 of them`, [
          { at: 0, id: 4624 },
          { at: 1, id: 1102 },
        ]),
      ),
    ).toEqual({ Correlated: 2 });
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

describe('samples', () => {
  it('are there of all that contributes, however many matches came before', async () => {
    const noisy = 'type: event_count\nrules: failed\ngroup-by: [TargetUserName]\ntimespan: 1s\ncondition: {gte: 100}';
    const rare = 'type: temporal_ordered\nrules: [success, cleared]\ntimespan: 1m';
    const chained = 'type: event_count\nrules: rare\ntimespan: 1m\ncondition: {gte: 1}';
    const text = `${rule('failed', 4625)}${rule('success', 4624)}${rule('cleared', 1102)}
title: Noisy\ncorrelation:\n${indented(noisy)}\n---
title: Rare\nname: rare\ncorrelation:\n${indented(rare)}\n---
title: Chained\ncorrelation:\n${indented(chained)}\n`;
    const many = Array.from({ length: 20_100 }, (_, at): Logon => ({ at: at * 2, user: `u${at}` }));
    const logons: Logon[] = [...many, { at: 50_000, id: 4624, user: 'eve' }, { at: 50_001, id: 1102, user: 'eve' }];
    const findings = await runRules(text, logons);
    expect(counts(findings)).toEqual({ Chained: 1 });
    expect(findings[0]?.samples).toMatchObject([
      { recordId: '20102', eventId: '1102', fields: { _rule: 'Rare', count: 2, TargetUserName: 'eve' } },
    ]);
    const plain = await runRules(text.slice(0, text.lastIndexOf('---')), logons);
    expect(
      plain[0]?.samples.map(({ recordId, fields }) => [recordId, fields['_rule'], fields['TargetUserName']]),
    ).toEqual([
      ['20101', 'success', 'eve'],
      ['20102', 'cleared', 'eve'],
    ]);
  });
});

describe('fields', () => {
  it('are those that the rule sees, mapped ones of a Security 4688 as well', async () => {
    const text = `
title: Started
name: started
logsource: {product: windows, category: process_creation}
detection: {selection: {Image|endswith: '.exe'}, condition: selection}
---
title: Correlated
correlation:
  type: value_count
  rules: started
  group-by: [ParentImage]
  timespan: 1m
  condition: {field: Image, gte: 2}
`;
    const { rules } = loadRules([{ path: 'r.yml', text }]);
    const started = (at: number, data: object): string =>
      JSON.stringify({ Computer: 'PC', SystemTime: `2026-01-01T00:00:0${at}Z`, ...data });
    const security = { Channel: 'Security', Provider_Name: 'Microsoft-Windows-Security-Auditing', EventID: 4688 };
    const sysmon = {
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      Provider_Name: 'Microsoft-Windows-Sysmon',
      EventID: 1,
    };
    const lines = [
      started(0, { ...security, NewProcessName: 'C:\\a.exe', ParentProcessName: 'C:\\p.exe' }),
      started(1, { ...security, NewProcessName: 'C:\\A.EXE', ParentProcessName: 'C:\\P.exe' }),
      started(2, { ...sysmon, Image: 'C:\\b.exe', ParentImage: 'c:\\p.exe' }),
    ];
    const found = async (all: readonly string[]): Promise<Readonly<Record<string, number>>> => {
      const bytes = new TextEncoder().encode(`${all.join('\n')}\n`);
      const { findings } = await analyze(sourceOf(bytes), { rules, logType: 'json_evtx', maxSamples: 1 });
      return counts(findings);
    };
    expect(await found(lines)).toEqual({ Correlated: 3 });
    expect(await found(lines.slice(0, 2))).toEqual({});
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

  it('evaluates a correlation of rules and correlations, in whatever order they stand', async () => {
    const inner = 'type: event_count\nrules: failed\ngroup-by: [TargetUserName]\ntimespan: 1m\ncondition: {gte: 2}';
    const outer = 'type: temporal_ordered\nrules: [inner, success]\ngroup-by: [TargetUserName]\ntimespan: 5m';
    const text = `title: Outer\ncorrelation:\n${indented(outer)}\n---\ntitle: Inner\nname: inner\nid: 1f2a\ncorrelation:\n${indented(inner)}\n---${rule('success', 4624)}${rule('failed', 4625)}`;
    const logons = [...failures([0, 1, 2]), { at: 60, id: 4624 }];
    const [finding] = await runRules(text.replace(/---$/, ''), logons);
    expect(finding).toMatchObject({ ruleName: 'Outer', count: 2 });
    expect(finding?.samples.map(({ fields }) => [fields['_rule'], fields['count']])).toEqual([
      ['1f2a', 3],
      ['success', undefined],
    ]);
  });

  it('counts and adds up what inner ones count', async () => {
    const inner =
      'type: event_count\nrules: failed\ngroup-by: [TargetUserName]\ntimespan: 1m\ncondition: {gte: 2}\ngenerate: true';
    const sum = 'type: value_sum\nrules: inner\ntimespan: 1h\ncondition: {field: count, gte: 5}';
    const text = `${rule('failed', 4625)}\ntitle: Inner\nname: inner\ncorrelation:\n${indented(inner)}\n---\ntitle: Sum\ncorrelation:\n${indented(sum)}\n`;
    const logons = [...failures([0, 1, 2], { user: 'a' }), ...failures([200, 201], { user: 'b' })];
    expect(counts(await runRules(text, logons))).toEqual({ failed: 5, Sum: 2 });
    expect(counts(await runRules(text, logons.slice(0, 4)))).toEqual({ failed: 4 });
  });

  it('means the first of several rules of one name, and any correlation that wants to be heard', async () => {
    const twice = `${rule('failed', 4625)}${rule('failed', 4624)}`;
    const count = (generate: boolean): string =>
      `\ntitle: C${generate}\ncorrelation: {type: event_count, rules: failed, timespan: 1m, condition: {gte: 1}, generate: ${generate}}\n---`;
    const logons = [{ at: 0 }, { at: 1, id: 4624 }];
    const quiet = `${twice}${count(false)}`.replace(/---$/, '');
    expect(counts(await runRules(quiet, logons))).toEqual({ Cfalse: 1, failed: 1 });
    const found = await runRules(`${twice}${count(false)}${count(true)}`.replace(/---$/, ''), logons);
    expect(found.map(({ ruleName }) => ruleName).toSorted()).toEqual(['Cfalse', 'Ctrue', 'failed', 'failed']);
  });

  it('rejects what refers to nothing, to itself or to something rejected', () => {
    expect(load(one('a', 'missing'))).toEqual(['The correlation refers to missing, which is not loaded']);
    expect(load(one('a', 'a'))).toHaveLength(1);
    const bad = 'title: a\nname: a\ncorrelation: {type: temporal, rules: failed, timespan: 1m, condition: other}\n';
    expect(load(`${bad}---\n${one('b', 'a')}---\n${one('c', 'failed')}`)).toHaveLength(2);
    expect(load(`${one('a', 'b')}---\n${one('b', 'a')}`)).toHaveLength(2);
    expect(load(`${one('a', 'missing')}---\n${one('b', 'a')}`)).toHaveLength(2);
    expect(load(`${one('outer', 'inner')}---\n${one('inner', 'failed')}`)).toEqual([]);
  });

  it('takes the rules that an extended condition names, where it lists none', () => {
    const bare = (condition: string): string =>
      `title: t\ncorrelation: {type: temporal, timespan: 1m, condition: ${condition}}\n`;
    expect(load(bare('failed and not (failed)'))).toEqual([]);
    expect(load(bare('failed and missing'))[0]).toContain('missing');
  });

  it.each([
    ['type: event_count, rules: failed, timespan: 1m', 'needs a condition'],
    ['type: value_count, rules: failed, timespan: 1m, condition: {gte: 1}', 'needs a field'],
    ['type: event_count, rules: failed, timespan: 1x, condition: {gte: 1}', 'timespan'],
    ['type: other, rules: failed, timespan: 1m, condition: {gte: 1}', 'unknown'],
    ['type: event_count, rules: [], timespan: 1m, condition: {gte: 1}', 'names no rules'],
    ['type: event_count, rules: failed, timespan: 1m, condition: {above: 1}', 'unknown key'],
    ['type: temporal, rules: failed, timespan: 1m, condition: failed and other', 'other'],
    ['type: event_count, rules: failed, timespan: 60, condition: {gte: 1}', 'timespan “60”'],
    ['type: event_count, rules: failed, timespan: 0s, condition: {gte: 1}', 'timespan “0s”'],
    ['type: event_count, rules: failed, condition: {gte: 1}', 'timespan'],
    ['type: 5, rules: failed, timespan: 1m, condition: {gte: 1}', 'type “5” is unknown'],
    ['type: event_count, rules: failed, timespan: 1m, groupby: [a], condition: {gte: 1}', 'unknown key groupby'],
    ['type: event_count, rules: failed, timespan: 1m, condition: {gte: 1, field: a}', 'takes no field'],
    ['type: event_count, rules: failed, timespan: 1m, condition: {}', 'compares with nothing'],
    ['type: event_count, rules: failed, timespan: 1m, condition: {gte: many}', 'not a number'],
    ['type: event_count, rules: failed, timespan: 1m, condition: {gte: 1}, generate: perhaps', 'true or false'],
    ['type: event_count, rules: {a: b}, timespan: 1m, condition: {gte: 1}', 'rules is not text'],
    ['type: value_sum, rules: failed, timespan: 1m, condition: {field: [a, b], gte: 1}', 'takes one field'],
    ['type: value_sum, rules: failed, timespan: 1m, condition: {field: a, gte: 1, percentile: 5}', 'percentile'],
    [
      'type: value_percentile, rules: failed, timespan: 1m, condition: {field: a, gte: 1, percentile: 101}',
      'percentile',
    ],
    ['type: temporal, rules: failed, timespan: 1m, condition: failed and', 'ends where'],
    ['type: temporal, rules: failed, timespan: 1m, aliases: [a]', 'aliases is not a map'],
  ])('rejects {%s}', (correlation, reason) => {
    const [message] = load(`title: bad\ncorrelation: {${correlation}}\n`);
    expect(message).toContain(reason);
  });
});
