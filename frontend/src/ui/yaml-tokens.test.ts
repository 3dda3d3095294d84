import { describe, expect, it } from 'vitest';
import { yamlLines } from './yaml-tokens.ts';

const kinds = (line: string) =>
  yamlLines(line)[0]!
    .filter(({ text }) => text.trim() !== '')
    .map(({ kind, text }) => `${kind} ${text}`);

describe('yamlLines', () => {
  it.each([
    ['title: Some Rule', ['key title', 'mark :', 'plain Some', 'plain Rule']],
    [
      "    - CommandLine|contains: ' -enc # not a comment'",
      ['mark - ', 'key CommandLine|contains', 'mark :', "text ' -enc # not a comment'"],
    ],
    ['level: high # really', ['key level', 'mark :', 'plain high', 'comment # really']],
    ['# a comment', ['comment # a comment']],
    ['EventID: 4624', ['key EventID', 'mark :', 'number 4624']],
    ['tags: [a, "b"]', ['key tags', 'mark :', 'mark [', 'plain a', 'mark ,', 'text "b"', 'mark ]']],
    ['- https://example.org/#x', ['mark - ', 'plain https://example.org/#x']],
  ])('colours %s', (line, expected) => {
    expect(kinds(line)).toEqual(expected);
  });

  it('keeps block text in one colour until it ends', () => {
    const lines = yamlLines('description: |\n  key: no\n\n  # no\nlevel: low');
    expect(lines.map((tokens) => tokens[0]?.kind)).toEqual(['key', 'text', undefined, 'text', 'key']);
  });

  it.each(['a: b', '  - x: [1, 2]  ', 'weird ]}: "open', "it's: fine # ok", '---', '', '\ttab: x'])(
    'loses nothing of %j',
    (line) => {
      expect(
        yamlLines(line)[0]!
          .map(({ text }) => text)
          .join(''),
      ).toBe(line);
    },
  );
});
