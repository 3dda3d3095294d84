import { describe, expect, it } from 'vitest';
import { entropyOf } from './entropy.ts';
import { compileCheck, type ThreatCheck } from './threat-checks.ts';
import { joinThreats, type ThreatCategory, ThreatTally } from './threats.ts';

function tags(check: ThreatCheck, value: string, field = 'F'): string[] {
  return compileCheck(check, 'low')(value, field).map(({ tag, severity }) => `${tag} ${severity}`);
}

const fields = ['F'];

describe('checks', () => {
  const masquerade: ThreatCheck = {
    type: 'masquerade',
    fields,
    systemBinaries: ['svchost.exe'],
    legitimatePaths: ['C:\\Windows\\System32', 'C:\\Windows\\SysWOW64'],
  };
  it.each([
    ['C:\\Windows\\System32\\svchost.exe', []],
    ['c:\\windows\\syswow64\\SVCHOST.EXE', []],
    ['\\SystemRoot\\System32\\svchost.exe', []],
    ['\\Device\\HarddiskVolume3\\Windows\\System32\\svchost.exe', []],
    ['\\\\?\\C:\\Windows\\System32\\svchost.exe', []],
    ['D:\\Windows\\System32\\svchost.exe', []],
    ['svchost.exe', []],
    ['C:\\Windows\\Temp\\svchost.exe', ['MASQUERADE critical']],
    ['C:\\Windows\\System32\\drivers\\svchost.exe', ['MASQUERADE critical']],
    ['C:\\Users\\x\\svchost.exe', ['MASQUERADE critical']],
  ])('masquerade: %s', (value, expected) => {
    expect(tags(masquerade, value)).toEqual(expected);
  });

  const typosquat: ThreatCheck = {
    type: 'typosquat',
    fields,
    targets: ['svchost.exe', 'lsass.exe', 'winlogon.exe', 'rundll32.exe', 'cmd.exe'],
    exclude: ['lsaiso.exe'],
    maxDistance: 2,
    minLength: 4,
  };
  it.each([
    ['C:\\x\\svch0st.exe', ['TYPOSQUAT_SVCHOST high']],
    ['C:\\x\\scvhost.exe', ['TYPOSQUAT_SVCHOST high']],
    ['C:\\x\\svchosts.exe', ['TYPOSQUAT_SVCHOST high']],
    ['C:\\x\\svchst.exe', ['TYPOSQUAT_SVCHOST high']],
    ['C:\\x\\vvinlogon.exe', ['TYPOSQUAT_WINLOGON high']],
    ['C:\\x\\rundl132.exe', ['TYPOSQUAT_RUNDLL32 high']],
    ['C:\\x\\svchost.exe', []],
    ['C:\\x\\lsaiso.exe', []],
    ['C:\\x\\svcbozt.exe', []],
    ['C:\\x\\notes.exe', []],
  ])('typosquat: %s', (value, expected) => {
    expect(tags(typosquat, value)).toEqual(expected);
  });

  it('searches expressions without regard to case, and only where they can match', () => {
    const regex: ThreatCheck = {
      type: 'regex',
      fields,
      patterns: [
        { name: 'a', pattern: '(?:set|add)-mppreference', severity: 'critical' },
        { name: 'b', pattern: '[0-9]{4}' },
      ],
    };
    expect(tags(regex, 'ADD-MpPreference 2026')).toEqual(['A critical', 'B low']);
    expect(tags(regex, 'mppreference')).toEqual([]);
    // A Kelvin sign is a k to a search without case.
    expect(tags({ type: 'regex', fields, patterns: [{ name: 'k', pattern: 'kind' }] }, '\u212Aind')).toEqual(['K low']);
  });

  it('looks at base names, keywords, ports and entropy', () => {
    expect(tags({ type: 'basename_in_set', fields, values: ['certutil.exe'] }, 'C:\\w\\CertUtil.exe')).toEqual([
      'CERTUTIL.EXE high',
    ]);
    const tld: ThreatCheck = { type: 'keyword_in_value', fields, name: 'tld', values: ['.tk'], atLabelEnd: true };
    expect(
      ['a.tk', 'a.tk.', 'a.tkx.example', 'x.tk.example', 'see a.tk/x'].map((host) => tags(tld, host).length),
    ).toEqual([1, 1, 0, 0, 1]);
    const ports: ThreatCheck = { type: 'port_in_set', fields, values: [4444] };
    expect(compileCheck(ports, 'low')('4444', 'DestinationPort')).toEqual([
      { tag: 'C2_PORT', severity: 'medium', value: 'DestinationPort=4444' },
    ]);
    expect([tags(ports, '44444'), tags(ports, 'x4444')]).toEqual([[], []]);
    const dga: ThreatCheck = { type: 'entropy', fields, name: 'dga', threshold: 4.1, minLength: 20 };
    expect(tags(dga, 'qx7f9zk2mw4tbvc8ny1lhd6.example')).toEqual(['DGA medium']);
    expect(tags(dga, 'www.aaaaaaaaaaaaaaaaa.example')).toEqual([]);
    expect(entropyOf('aabb')).toBe(1);
  });

  it('keeps head and tail of long values', () => {
    const [hit] = compileCheck({ type: 'keyword_in_value', fields, name: 'k', values: ['abc'] }, 'low')(
      `start abc${'x'.repeat(20_000)}end`,
      'F',
    );
    expect(hit!.value.length).toBeLessThanOrEqual(8192);
    expect(hit!.value).toMatch(/^start abc.*end$/s);
  });
});

describe('accumulation', () => {
  function category(key: string, ...checks: ThreatCheck[]): ThreatCategory {
    return { key, label: key, description: 'd', defaultSeverity: 'low', checks };
  }

  /** Of events, each some fields with their values in the order in which they are read. */
  function reported(categories: ThreatCategory[], ...events: readonly (readonly [string, string])[][]) {
    const tally = new ThreatTally(categories);
    for (const [at, values] of events.entries()) {
      tally.nextEvent();
      for (const [field, value] of values) tally.read(field, value, at + 1);
    }
    return joinThreats(categories, [tally.rows()]);
  }

  it('counts what it finds once an event', () => {
    const categories = [
      category('names', { type: 'keyword_in_value', fields: ['A', 'B'], name: 'word', values: ['evil'] }),
      category('never'),
    ];
    const first = [
      ['A', 'evil one'],
      ['B', 'evil one'],
      ['A', 'evil two'],
      ['C', 'evil one'],
    ] as const;
    expect(reported(categories, [...first], [['A', 'evil one']])).toEqual({
      total_indicators: 3,
      total_categories: 1,
      categories: {
        names: {
          label: 'names',
          description: 'd',
          severity: 'medium',
          total: 3,
          indicators: [
            { tag: 'WORD', count: 2, severity: 'medium', value: 'evil one' },
            { tag: 'WORD', count: 1, severity: 'medium', value: 'evil two' },
          ],
        },
      },
    });
  });

  it('counts an expression and the entropy once an event, by the first of their fields', () => {
    const patterns = ['add', 'del'].map((name) => ({ name, pattern: `reg ${name}` }));
    const firsts = [
      category(
        'commands',
        { type: 'regex', fields: ['Own', 'Parent'], patterns },
        { type: 'entropy', fields: ['Asked', 'Host'], name: 'random', threshold: 2, minLength: 4 },
      ),
    ];
    const parent = ['Parent', 'cmd /c reg add x & reg del y'] as const;
    const { total_indicators: total, categories: found } = reported(
      firsts,
      [parent, ['Own', 'reg add x'], ['Host', 'abcdefgh'], ['Asked', 'hgfedcba']],
      [parent],
    );
    expect(total).toBe(5);
    expect(found['commands']?.indicators.map(({ tag, value, count }) => [tag, value, count])).toEqual([
      ['DEL', 'cmd /c reg add x & reg del y', 2],
      ['ADD', 'cmd /c reg add x & reg del y', 1],
      ['ADD', 'reg add x', 1],
      ['RANDOM', 'hgfedcba', 1],
    ]);
  });
});
