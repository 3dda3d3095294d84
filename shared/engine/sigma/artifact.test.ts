import { describe, expect, it } from 'vitest';
import { packRules, unpackRules } from './artifact.ts';
import { loadRules } from './load-rules.ts';

const source = `title: Encoded command – ünïcödé
id: 0b1f4ed2-67b5-4d2a-8a5e-2f0b6f2f6c11
level: high
logsource: {product: windows, category: process_creation}
detection:
  selection:
    Image|endswith: '\\powershell.exe'
    CommandLine|contains|windash: ' -enc*?x'
  filter: {User: null}
  condition: selection and not filter
`;

describe('compiled rules', () => {
  const { rules } = loadRules([
    { path: 'a.yml', text: source },
    { path: 'b.yml', text: source.replace('Encoded', 'Second') },
  ]);
  const bytes = packRules(rules);

  it('come back as they were, their own text included', () => {
    const read = unpackRules(bytes);
    const whole = read.rules.map((rule) => {
      const { id, name, title, level, status, tags, author, logSource, expression, path } = rule;
      return { id, name, title, level, status, tags, author, logSource, expression, path, source: rule.source };
    });
    expect(whole).toEqual(rules.rules);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['other bytes', new Uint8Array(64)],
    ['a part', bytes.slice(0, bytes.length - 1)],
    ['another version', Uint8Array.from(bytes, (byte, at) => (at === 4 ? 99 : byte))],
  ])('refuse %s with a reason', (_, given) => {
    expect(() => unpackRules(given)).toThrow(RangeError);
  });
});
