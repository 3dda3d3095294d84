import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import type { AnalyzeOptions } from './analyze-options.ts';
import type { Analysis } from './findings.ts';
import { loadRules } from './sigma/load-rules.ts';
import { sourceOf } from './testing/read-all.ts';

const rule = (title: string, logSource: string, detection: string): string =>
  `title: ${title}\nlogsource: ${logSource}\ndetection: {${detection}}\n`;
const { rules } = loadRules([
  {
    path: 'r.yml',
    text: [
      rule('shell', '{product: windows, category: process_creation}', "s: {Image|endswith: '\\cmd.exe'}, condition: s"),
      rule('windows', '{product: windows}', "s: {Image: '*'}, condition: s"),
      rule('proxy', '{category: proxy}', 's: {c-uri|contains: evil}, f: {Image: x}, condition: s and not f'),
      rule('absent', '{category: firewall}', 's: {action: deny}, condition: not s'),
      rule('null', '{category: firewall}', 's: {action: null}, condition: s'),
      rule('keyword', '{product: linux}', "s: ['evil'], condition: s"),
      rule('both', '{product: aws}', 's: {Image|contains: cmd}, o: {Other: x}, condition: s or not o'),
    ].join('---\n'),
  },
]);
const table = 'Time,Image,User\n2026-03-01T10:00:00Z,C:\\Windows\\cmd.exe,a\n2026-03-01T10:00:01Z,C:\\x.exe,b\n';
const json = '{"c-uri": "http://evil.example", "note": "x"}\n{"note": "evil"}\n{"note": "good"}\n';

async function found(text: string, options: Partial<AnalyzeOptions> = {}): Promise<Analysis> {
  return analyze(sourceOf(new TextEncoder().encode(text)), { rules, logType: 'auto', maxSamples: 1, ...options });
}

const counts = ({ findings }: Analysis): Record<string, number> =>
  Object.fromEntries(findings.map(({ ruleName, count }) => [ruleName, count]));

describe('records that do not tell what they are of (1.2)', () => {
  it('are read, matched by no rule, and told of', async () => {
    for (const [text, events] of [
      [table, 2],
      [json, 3],
    ] as const) {
      const analysis = await found(text);
      expect(analysis).toMatchObject({ events, findings: [] });
      expect(analysis.problems).toMatchObject([{ code: 'log-source-unknown', count: events }]);
    }
  });

  it('are of the log source that is stated for them', async () => {
    const process = { product: 'Windows', category: 'process_creation' };
    expect(counts(await found(table, { logSource: process }))).toEqual({ shell: 1, windows: 2 });
    expect((await found(table, { logSource: process })).problems).toEqual([]);
    expect(counts(await found(table, { logSource: { product: 'windows' } }))).toEqual({ windows: 2 });
    expect(counts(await found(json, { logSource: { category: 'proxy' } }))).toEqual({ proxy: 1 });
    expect(counts(await found(json, { logSource: { product: 'linux', service: 'x' } }))).toEqual({ keyword: 2 });
    expect(counts(await found(json, { logSource: { service: 'x' } }))).toEqual({});
  });

  it('are tried with all rules whose fields they have, where that is asked for', async () => {
    const open = await found(table, { logSource: 'any' });
    expect(counts(open)).toEqual({ shell: 1, windows: 2, both: 2 });
    expect(open.problems).toMatchObject([{ code: 'log-source-any', count: 2 }]);
    expect(counts(await found(json, { logSource: 'any' }))).toEqual({ proxy: 1, keyword: 2 });
  });

  it('say nothing of records that do tell', async () => {
    const event = '{"Channel": "Security", "EventID": 1, "Image": "C:\\\\cmd.exe", "Computer": "PC"}\n';
    for (const logSource of [{ product: 'aws' }, 'any'] as const) {
      const analysis = await found(event, { logSource });
      expect(counts(analysis)).toEqual({ windows: 1 });
      expect(analysis.problems).toEqual([]);
    }
  });

  it('are what each analysis takes them for, with the same rules', async () => {
    expect(counts(await found(table, { logSource: 'any' }))).toEqual({ shell: 1, windows: 2, both: 2 });
    expect(counts(await found(table))).toEqual({});
    expect(counts(await found(table, { logSource: { product: 'windows' } }))).toEqual({ windows: 2 });
  });
});
