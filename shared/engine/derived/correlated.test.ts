import { expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import type { AnalyzeOptions } from '../analyze-options.ts';
import type { Analysis } from '../findings.ts';
import type { RawMatch } from '../matching/raw-matches.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { deriveSample } from '../testing/derive-sample.ts';
import { sourceOf } from '../testing/read-all.ts';
import type { DeriveOptions } from './deriver.ts';
import { plotOf } from './match-plot.ts';
import { RawDeriver } from './raw-deriver.ts';

const rule = (name: string, detection: string): string => `title: ${name}
name: ${name}
level: low
logsource: {product: windows}
detection: {a: ${detection}, condition: a}
---
`;
const correlation = (name: string, body: string): string => `title: ${name}
name: ${name}
level: high
correlation: {group-by: [Computer], timespan: 1h, ${body}}
---
`;
const { rules } = loadRules([
  {
    path: 'r.yml',
    text:
      rule('Reported', "{User: 'eve'}") +
      rule('Failed', '{EventID: 4625}') +
      correlation('Guessing', 'type: event_count, rules: [Failed], condition: {gte: 3}') +
      correlation('Unheard', 'type: event_count, rules: [Failed], condition: {gte: 2}') +
      correlation('Twice', 'type: event_count, rules: [Unheard], condition: {gte: 1}'),
  },
]);
const groups = ['persistence', 'none', 'credential_access', 'never', 'impact'];
const derive: DeriveOptions = { ...deriveSample, groups };

/** Failures of four users on one computer within the hour, one of them in a finding of a rule too, then a lone one. */
const times = ['09:10:00', '09:20:00', '10:05:00', '10:06:00', '15:00:00'];
const users = ['alice', 'eve', 'bob', 'alice', 'mallory'];
const log = times
  .map((time, at) =>
    JSON.stringify({
      EventID: 4625,
      Channel: 'Security',
      Provider_Name: 'Microsoft-Windows-Security-Auditing',
      Computer: 'DC01',
      EventRecordID: at,
      SystemTime: `2026-08-01T${time}Z`,
      User: users[at],
      CommandLine: `evil-${at}`,
    }),
  )
  .join('\n');

function analyzed(more: Partial<AnalyzeOptions> = {}): Promise<Analysis> {
  const options = { rules, logType: 'json_evtx', maxSamples: 10, derive, raw: { maxBytes: 100_000 } } as const;
  return analyze(sourceOf(new TextEncoder().encode(log)), { ...options, ...more });
}

const linesOf = ({ raw }: Analysis): RawMatch[] =>
  Buffer.concat(raw!.chunks)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RawMatch);

it('plots the matches of correlations as those of rules', async () => {
  const { findings, derived } = await analyzed();
  expect(findings.map(({ ruleName, count }) => [ruleName, count])).toEqual([
    ['Guessing', 4],
    ['Twice', 1],
    ['Reported', 1],
  ]);
  expect(derived!.hours.map(({ hour, groups: counts }) => [hour, Object.fromEntries(counts)])).toEqual([
    ['2026-08-01T09', { persistence: 1, credential_access: 2, impact: 1 }],
    ['2026-08-01T10', { credential_access: 2 }],
  ]);
  expect(derived!.alerts.total).toBe(6);
  expect(derived!.alerts.markers.filter(({ rule: place }) => place === 2)).toHaveLength(4);
});

it('looks at their events, each once, however many are samples', async () => {
  const { derived } = await analyzed();
  expect(derived!.events).toBe(4);
  expect(derived!.entities.user).toEqual([
    { value: 'alice', count: 2 },
    { value: 'bob', count: 1 },
    { value: 'eve', count: 1 },
  ]);
  expect(derived!.threats.total_indicators).toBe(4);
  const few = await analyzed({ maxSamples: 1 });
  expect(few.findings.map(({ samples }) => samples.length)).toEqual([1, 1, 1]);
  expect(few.derived).toEqual(derived);
});

it('links findings to what all their events name, however many are samples', async () => {
  for (const maxSamples of [10, 1]) {
    const { entities, findings } = (await analyzed({ maxSamples })).derived!.intel;
    const linkedUsers = findings.map(({ rule: place, entities: linked }) => [
      place,
      ...linked.flatMap((at) => (entities[at]!.type === 'user' ? [entities[at]!.value] : [])),
    ]);
    expect(linkedUsers).toEqual([
      [0, 'eve'],
      [2, 'alice', 'bob', 'eve'],
      [4, 'eve'],
    ]);
  }
});

it('counts them among those that may be looked at', async () => {
  const { derived } = await analyzed({ derive: { ...derive, maxEvents: 3 } });
  expect(derived).toMatchObject({ events: 3, isCapped: true, alerts: { total: 6 } });
});

it('keeps them behind the raw matches of rules, so that the same can be derived again', async () => {
  const analysis = await analyzed();
  const lines = linesOf(analysis);
  expect(lines.map(({ rule: { title }, record, correlated }) => [title, record['User'], correlated])).toEqual([
    ['Reported', 'eve', undefined],
    ['Guessing', 'alice', true],
    ['Guessing', 'bob', true],
    ['Guessing', 'alice', true],
  ]);
  const places = [...rules.rules, ...rules.correlations].map(({ title }) => title);
  const again = new RawDeriver(derive, ({ title }) => places.indexOf(title));
  for (const line of lines) again.add(line);
  const { alerts } = analysis.derived!;
  const markers = alerts.markers.filter(({ rule: place }) => place >= rules.rules.length);
  const { intel } = analysis.derived!;
  expect({ ...again.result(plotOf({ ...alerts, markers }, groups)), intel }).toEqual(analysis.derived);
});
