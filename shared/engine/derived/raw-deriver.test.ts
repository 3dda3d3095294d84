import { expect, it } from 'vitest';
import { analyze } from '../analyze.ts';
import type { RawMatch } from '../matching/raw-matches.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { deriveSample } from '../testing/derive-sample.ts';
import { sourceOf } from '../testing/read-all.ts';
import type { DeriveOptions } from './deriver.ts';
import { RawDeriver } from './raw-deriver.ts';

const rule = (title: string, detection: string): string => `title: ${title}
level: high
logsource: {product: windows}
detection: {a: ${detection}, condition: a}
`;
const { rules } = loadRules([
  { path: 'r.yml', text: [rule('All', "{EventID: '*'}"), rule('Shell', "{Image|endswith: 'cmd.exe'}")].join('---\n') },
]);
const event = (at: number, image: string, parent: string) => ({
  EventID: 1,
  Channel: 'Microsoft-Windows-Sysmon/Operational',
  Provider: 'Microsoft-Windows-Sysmon',
  Computer: `ws${at % 2}`,
  EventRecordID: at,
  SystemTime: `2026-08-01T1${at}:00:00Z`,
  Image: `C:\\Windows\\${image}`,
  ProcessGuid: `{${image}-${at}}`,
  ParentProcessGuid: `{${parent}}`,
  ProcessId: 100 + at,
  CommandLine: `${image} /c evil-${at}.ps1 10.0.0.${at}`,
  User: `CORP\\user${at % 3}`,
});
const log = [event(0, 'cmd.exe', 'x'), event(1, 'whoami.exe', 'cmd.exe-0'), event(2, 'cmd.exe', 'cmd.exe-0')]
  .map((each) => `${JSON.stringify(each)}\n`)
  .join('');
const { entities } = deriveSample;
const derive: DeriveOptions = {
  ...deriveSample,
  groups: ['discovery', 'execution'],
  entities: { ...entities, fields: { ...entities.fields, ip: ['CommandLine'] } },
};

it('derives from raw output what the pass over the log derived', async () => {
  const options = { rules, logType: 'json_evtx', maxSamples: 1, derive, raw: { maxBytes: 1_000_000 } } as const;
  const { derived, raw } = await analyze(sourceOf(new TextEncoder().encode(log)), options);
  expect(derived?.events).toBe(3);
  expect(derived?.threats.total_indicators).toBeGreaterThan(0);
  const places = rules.rules.map(({ title }) => title);
  const again = new RawDeriver(derive, ({ title }) => places.indexOf(title));
  const lines = Buffer.concat(raw!.chunks).toString().trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  for (const line of lines) again.add(JSON.parse(line) as RawMatch);
  expect({ ...again.result(), intel: derived!.intel }).toEqual(derived);
});

it('passes over matches of rules that it does not know', async () => {
  const options = { rules, logType: 'json_evtx', maxSamples: 1, raw: { maxBytes: 1_000_000 } } as const;
  const { raw } = await analyze(sourceOf(new TextEncoder().encode(log)), options);
  const again = new RawDeriver(derive, ({ title }) => (title === 'Shell' ? 1 : undefined));
  for (const line of Buffer.concat(raw!.chunks).toString().trimEnd().split('\n'))
    again.add(JSON.parse(line) as RawMatch);
  expect(again.result()).toMatchObject({ events: 2, alerts: { total: 2 } });
});
