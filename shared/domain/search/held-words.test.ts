import { expect, it } from 'vitest';
import { foldedAddress, heldWord, heldWords, type HeldResults } from './held-words.ts';

const none: HeldResults['values'] = { host: [], user: [], ip: [], hash: [], program: [], domain: [] };

it.each<[Partial<HeldResults['values']>, string[]]>([
  [{ host: ['WS01.corp.example'] }, ['host:ws01.corp.example', 'host:ws01']],
  [{ host: ['10.0.0.5', 'DC1'] }, ['host:10.0.0.5', 'host:dc1']],
  [
    { user: ['CORP\\Alice', 'bob@corp.example'] },
    ['user:corp\\alice', 'user:alice', 'user:bob@corp.example', 'user:bob'],
  ],
  [{ program: ['PowerShell.exe', 'run.ps1'] }, ['program:powershell.exe', 'program:powershell', 'program:run.ps1']],
  [{ hash: ['ABCD'], ip: ['fe80::1'], domain: ['evil.example'] }, ['ip:fe80::1', 'hash:abcd', 'domain:evil.example']],
  [{ user: ['@x', ' '] }, ['user:@x']],
])('finds %j by %j', (values, words) => {
  expect(heldWords({ rules: [], values: { ...none, ...values } })).toEqual(words);
});

it('finds rules by name, id, words of the name and techniques with those above them', () => {
  const rules = [{ id: 'ab-1', name: 'Mimikatz (Kerberos) Use', techniques: ['T1558.003'] }];
  expect(heldWords({ rules, values: none })).toEqual([
    'rule:mimikatz (kerberos) use',
    'rule:ab-1',
    'rule:mimikatz',
    'rule:kerberos',
    'rule:use',
    'technique:t1558.003',
    'technique:t1558',
  ]);
});

it('looks for a value by a word that is kept of it, however long it is', () => {
  const name = `${'Ä'.repeat(700)} `;
  const rules = [{ id: null, name, techniques: [] }];
  expect(heldWords({ rules, values: none })).toContain(heldWord('rule', name));
});

it('keeps so many words and no more', () => {
  const hash = Array.from({ length: 30_000 }, (_, place) => place.toString(16));
  expect(heldWords({ rules: [], values: { ...none, hash } })).toHaveLength(20_000);
});

it.each([
  ['10.0.0.5', '10.0.0.5'],
  ['FE80:0:0:0::1', 'fe80::1'],
  ['10.0.0', null],
  ['10.0.0.300', null],
  ['a:b', null],
  ['ws01', null],
])('reads %s as the address %s', (text, address) => {
  expect(foldedAddress(text)).toBe(address);
});
