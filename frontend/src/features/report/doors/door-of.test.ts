import { describe, expect, it } from 'vitest';
import { doorOf } from '../../../ui/door-of.ts';
import { jobsTerm } from './jobs-term.ts';

const digest = 'A'.repeat(63) + '7';
const md5 = '0123456789abcdef0123456789abcdef';

describe('a value of an event', () => {
  it.each([
    ['Image', String.raw`C:\Windows\System32\CMD.exe`, 'program', 'cmd.exe'],
    ['exe', '/usr/bin/curl', 'program', 'curl'],
    ['User', String.raw`CORP\alice`, 'user', String.raw`CORP\alice`],
    ['SubjectUserName', 'alice', 'user', 'alice'],
    ['Computer', 'ws01.example.org', 'host', 'ws01.example.org'],
    ['DestinationHostname', 'evil.example', 'domain', 'evil.example'],
    ['DestinationHostname', 'WS01', 'host', 'WS01'],
    ['SourceIp', '10.0.0.5', 'ip', '10.0.0.5'],
    ['Anything', 'FE80:0:0::1', 'ip', 'fe80::1'],
    ['Hashes', `MD5=${md5},SHA256=${digest}`, 'hash', digest],
    ['md5', md5, 'hash', md5],
    ['CommandLine', 'powershell -enc AAAA', 'other', 'powershell -enc AAAA'],
  ])('%s %s opens as %s %s', (name, text, kind, value) => {
    expect(doorOf(name, text)).toEqual({ kind, value });
  });

  it.each(['4104', '0x3e7', '-', 'x'.repeat(301)])('of %s opens nothing', (text) => {
    expect(doorOf('User', text)).toBeNull();
  });

  it('is looked for in jobs as the search reads it', () => {
    expect(jobsTerm({ kind: 'host', value: 'WS01' })).toBe('host:WS01');
    expect(jobsTerm({ kind: 'rule', value: 'Two words, more' })).toBe('rule:"Two words, more"');
    expect(jobsTerm({ kind: 'user', value: 'a"b' })).toBeNull();
    expect(jobsTerm({ kind: 'other', value: 'x' })).toBeNull();
  });
});
