import { describe, expect, it } from 'vitest';
import { attributeKeysOf, attributeRulesOf, attributesOf } from './attributes.ts';
import type { EntityType } from './entities.ts';

const rules = attributeRulesOf([
  {
    key: 'lolbin_usage',
    label: '',
    description: '',
    defaultSeverity: 'high',
    checks: [{ type: 'basename_in_set', fields: [], values: ['certutil.exe'] }],
  },
  {
    key: 'unix_lolbin_usage',
    label: '',
    description: '',
    defaultSeverity: 'high',
    checks: [{ type: 'basename_in_set', fields: [], values: ['nc'] }],
  },
  {
    key: 'suspicious_network',
    label: '',
    description: '',
    defaultSeverity: 'medium',
    checks: [{ type: 'keyword_in_value', fields: [], name: 'SUSPICIOUS_TLD', values: ['.top', '.onion'] }],
  },
]);

const keys = (type: EntityType, value: string): string => attributeKeysOf(attributesOf(type, value, rules)).join(' ');

describe('attributes of an address', () => {
  it.each([
    ['127.0.0.1', 'loopback private'],
    ['::1', 'loopback private'],
    ['169.254.1.1', 'link_local private'],
    ['fe80::1', 'link_local private'],
    ['febf::1', 'link_local private'],
    ['224.0.0.251', 'multicast'],
    ['ff02::1', 'multicast'],
    ['100.64.0.1', 'cgnat private'],
    ['100.128.0.1', 'public'],
    ['10.0.0.5', 'rfc1918 private'],
    ['172.31.255.255', 'rfc1918 private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'rfc1918 private'],
    ['fd00::1', 'rfc1918 private'],
    ['0.0.0.0', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['198.51.100.7', 'reserved'],
    ['203.0.113.9', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['2002::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['8.8.8.8', 'public'],
    ['223.255.255.255', 'public'],
    ['2606:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['::ffff:10.0.0.1', 'rfc1918 private'],
    ['300.1.1.1', ''],
    ['no address', ''],
  ])('%s: %s', (value, expected) => {
    expect(keys('ip_address', value)).toBe(expected);
  });

  it('tell its version', () => {
    expect(attributesOf('ip_address', '8.8.8.8', rules)).toEqual({
      version: 'v4',
      category: 'public',
      is_private: false,
    });
    expect(attributesOf('ip_address', 'fe80::1', rules)).toMatchObject({ version: 'v6', is_private: true });
  });
});

describe('attributes of other things', () => {
  it.each<[EntityType, string, string]>([
    ['hash', 'A'.repeat(32), 'md5'],
    ['hash', 'A'.repeat(40), 'sha1'],
    ['hash', 'A'.repeat(64), 'sha256'],
    ['hash', 'A'.repeat(128), 'sha512'],
    ['hash', 'A'.repeat(48), ''],
    ['user', 'WS01$', 'machine'],
    ['user', 'CORP\\Domain-Admin', 'privileged'],
    ['user', 'root', 'privileged'],
    ['user', 'rooted', ''],
    ['user', 'SVC-backup', 'privileged'],
    ['user', 'sa_sql', 'privileged'],
    ['user', 'alice', ''],
    ['executable', 'certutil.exe', 'lolbin'],
    ['executable', 'nc', 'gtfobin'],
    ['executable', 'winword.exe', ''],
    ['service', 'C:\\Windows\\System32\\svchost.exe', 'signed_path'],
    ['service', '%ProgramFiles%\\x.exe', ''],
    ['service', 'C:\\Program Files\\x.exe', 'signed_path'],
    ['domain', 'evil.top', 'suspicious_tld'],
    ['domain', 'top.example', ''],
    ['domain', 'qzxkvbnmrt.example', 'dga'],
    ['domain', 'a7k2m9x4q1.onion', 'dga suspicious_tld'],
    ['domain', 'documentation.example', ''],
    ['domain', 'localhost', ''],
    ['computer', 'WS01', ''],
    ['cmdline_file', 'x.ps1', ''],
    ['task', '\\Updater', ''],
  ])('%s %s: %s', (type, value, expected) => {
    expect(keys(type, value)).toBe(expected);
  });

  it('are none of some types, and of what they do not apply to', () => {
    for (const type of ['computer', 'cmdline_file', 'task'] as const) expect(attributesOf(type, 'x', rules)).toBeNull();
    expect(attributesOf('domain', 'localhost', rules)).toBeNull();
    expect(attributesOf('domain', ' WWW.Example.Org. ', rules)).toMatchObject({ tld: 'org', label_count: 3 });
  });

  it('go by the entropy of a long label where that is asked for', () => {
    const entropy = { ...rules, dgaRule: 'entropy' as const };
    expect(attributesOf('domain', 'qzxkvbnmrt.example', entropy)).toMatchObject({ looks_dga: false });
    expect(attributesOf('domain', 'abcdefghijklmnop.example', entropy)).toMatchObject({ looks_dga: true });
  });
});
