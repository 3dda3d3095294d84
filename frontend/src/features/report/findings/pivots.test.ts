import { describe, expect, it } from 'vitest';
import { pivotsOf } from './pivots.ts';

const digest = 'A'.repeat(63) + '7';

describe('a value of an event', () => {
  it.each([
    [String.raw`C:\Windows\System32\cmd.exe`, String.raw`C:\Windows\System32\cmd.exe`, 'cmd.exe', 'cmd.exe'],
    [String.raw`CORP\alice`, String.raw`CORP\alice`, 'alice', 'alice'],
    ['/usr/bin/curl', '/usr/bin/curl', 'curl', 'curl'],
    ['ws01.example.org', 'ws01.example.org', 'ws01.example.org', 'ws01.example.org'],
    ['powershell -enc AAAA', 'powershell -enc AAAA', null, null],
    ['4104', null, null, null],
    ['-x:"a', '-x:"a', '-x:"a', null],
    ['0x3e7', null, null, null],
    ['-', null, null, null],
    ['x'.repeat(301), null, null, null],
  ])('%s leads to processes by %s, to entities by %s and to jobs by %s', (text, processes, entities, jobs) => {
    expect(pivotsOf(text)).toEqual({ processes, entities, jobs });
  });

  it('leads to both by the strongest digest that stands in it', () => {
    const md5 = '0123456789abcdef0123456789abcdef';
    expect(pivotsOf(`MD5=${md5},SHA256=${digest}`)).toEqual({
      processes: digest,
      entities: digest,
      jobs: `sha256:${digest.toLowerCase()}`,
    });
    expect(pivotsOf(`MD5=${md5}`)).toEqual({ processes: md5, entities: md5, jobs: null });
    expect(pivotsOf('A'.repeat(65)).entities).toBe('A'.repeat(65));
  });
});
