import { describe, expect, it } from 'vitest';
import { markdownHtml } from './markdown-html.ts';

const length = 4000;
const origin = 'https://logs.example.org';
const filled = (unit: string): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
/** Lines, each one level deeper than the one before. */
const stairs = (step: string, mark: string): string =>
  Array.from({ length: 88 }, (_, level) => `${step.repeat(level)}${mark}a`)
    .join('\n')
    .slice(0, length);

const shapes: readonly [string, string][] = [
  ...['>', '> ', '>\t', '>- ', '- ', '* ', '+ ', '1. ', '1) ', '> - 1. ', '>\n- ', '- [ ] ', '    > '].map(pair),
  ...['*', '*a ', '*a', 'a**b', '**a ', '_a_', '*_', '*a**b', '***a', '~', '~~a', '~~a ', '\\', '\\*'].map(pair),
  ...['[', '[a](', '![', '![a](', '[a][b', '[`', '[a]: b\n', '[a]:', '[^', '(', ']', '](', '[]()'].map(pair),
  ...['`', '`a', '``a`', '```\n', '~~~\n', '<', '<a', '<!--', '<http:', '&', '&#', '&amp;', 'a@', 'http://'].map(pair),
  ...['|', '|a', '|a|b|\n|-|-|\n', '#', '# ', 'a\n=\n', '- - -', '\n', ' \n', '\t', 'www.a', 'www.', ' '].map(pair),
  ['a mailbox', `${'a.'.repeat(1999)}@`],
  ['a title', `[a](b "${filled('"')}`],
  ['a target', `[a](${filled('(')}`],
  ['brackets around brackets', `${'['.repeat(1500)}a${'](b)'.repeat(600)}`],
  ['emphasis around emphasis', `${'*a '.repeat(600)}${'b* '.repeat(600)}`],
  ['a table of columns', `${'|a'.repeat(990)}|\n${'|-'.repeat(990)}|\n`],
  ['a table of rows', `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(660)}`],
  ['quotes, ever deeper', stairs('>', '> ')],
  ['lists, ever deeper', stairs('  ', '- ')],
  ['numbers, ever deeper', stairs('   ', '1. ')],
  ['quoted lists, ever deeper', stairs('> ', '- ')],
];

function pair(unit: string): [string, string] {
  return [JSON.stringify(unit), filled(unit)];
}

/** What a page has to bear: no error, elements within elements, and milliseconds of its processor. */
function burden(text: string): { html: string | null; deepest: number; busy: number } {
  const from = process.cpuUsage();
  const html = markdownHtml(text, origin);
  const { user, system } = process.cpuUsage(from);
  let depth = 0;
  let deepest = 0;
  for (const [tag] of (html ?? '').matchAll(/<\/?(?!br|hr)[a-z][^>]*>/g)) {
    depth += tag.startsWith('</') ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return { html, deepest, busy: (user + system) / 1000 };
}

describe('a text that is made to be too much', () => {
  it.each(shapes)('%s', (_, text) => {
    for (const around of [text, `before\n\n${text}`.slice(0, length), `${text.slice(1)}a`]) {
      const { deepest, busy } = burden(around);
      // What browsers nest, and fifty times of what the worst of them takes.
      expect(deepest).toBeLessThan(512);
      expect(busy).toBeLessThan(3000);
    }
  });

  it('is shown as written where it begins too many quotes, lists or marks', () => {
    for (const text of [filled('>'), filled('> '), filled('1. '), filled('> - 1. '), filled('*a '), 'a'.repeat(20_001)])
      expect(markdownHtml(text, origin)).toBeNull();
  });

  it('stays cheap in random mixes of them', () => {
    const parts = '>|> |- |1. |* |*|_|[|](|`|```|~~|![|<|&#|\\|#|a|b c| |    |\n|\n\n|http://a.b|@|"|)|]'.split('|');
    let state = 7;
    const any = (): string => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return parts[(state >>> 16) % parts.length]!;
    };
    for (let run = 0; run < 100; run += 1) {
      let text = '';
      while (text.length < length) text += any().repeat(run % 3 === 0 ? 1 : 1 + ((state >>> 8) % 40));
      const { deepest, busy } = burden(text.slice(0, length));
      expect(deepest).toBeLessThan(512);
      expect(busy).toBeLessThan(3000);
    }
  });
});

describe('what nobody answers for', () => {
  it.each([
    ['[Sign in](https://evil.example/login)', 'Sign in (<code>https://evil.example/login</code>)'],
    ['[Your job](/jobs/1)', 'Your job (<code>/jobs/1</code>)'],
    ['[x](javascript:alert%281%29)', 'x (<code>javascript:alert%281%29</code>)'],
    ['![p](https://evil.example/p.png)', 'p (<code>https://evil.example/p.png</code>)'],
    ['<https://evil.example/>', '<code>https://evil.example/</code>'],
    ['https://evil.example/a', '<code>https://evil.example/a</code>'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['[a]: https://evil.example\n[Report][a]', 'Report (<code>https://evil.example</code>)'],
  ])('%s has its addresses shown, and leads nowhere', (text, shown) => {
    const html = markdownHtml(text, null) ?? '';
    expect(html).toContain(shown);
    expect(html).not.toMatch(/<(?:a|img)\b/);
  });
});

describe('what people write', () => {
  it.each([
    ['a quote of a quote', '> > > > > yes\n\nno', '<blockquote>'],
    ['rules of dashes', `a\n\n${'-'.repeat(80)}\n\n${'* '.repeat(15)}`, '<hr>'],
    ['lists in lists', '- a\n  - b\n    - c\n      1. d', '<ol>'],
    ['a listing of code', `\`\`\`\n${'HKLM_SOFTWARE_[a] '.repeat(220)}\n\`\`\``, '<pre>'],
    ['many names with underscores', 'x_y_z '.repeat(490), '<p>'],
    ['a table', `|a|b|\n|-|-|\n${'|x|**y**|\n'.repeat(100)}`, '<table>'],
    ['hashes', 'd41d8cd98f00b204e9800998ecf8427e\n'.repeat(120), '<br>'],
    ['addresses', 'see https://example.org/a_b and jane.doe@example.org', 'rel="noopener nofollow"'],
    ['base64', `**it was** ${'QUJD'.repeat(900)}==`, '<strong>'],
  ])('%s is Markdown', (_, text, expected) => expect(markdownHtml(text, origin)).toContain(expected));
});
