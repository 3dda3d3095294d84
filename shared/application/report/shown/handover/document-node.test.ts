import { describe, expect, it } from 'vitest';
import { node, toHtml } from './document-node.ts';

describe('a document', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['</style><img src=x onerror=alert(1)>', '&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ['&lt;b&gt; "so" \'so\'', '&amp;lt;b&amp;gt; &quot;so&quot; &#39;so&#39;'],
    ['<!--', '&lt;!--'],
    ['{{7*7}} ${7}', '{{7*7}} ${7}'],
  ])('takes %j as text', (text, html) => {
    expect(toHtml(node('p', { title: text }, text))).toBe(`<p title="${html}">${html}</p>`);
  });

  it.each([
    ['gpj.\u202etxt', 'gpj.\\u{202e}txt'],
    ['a\u0000b\u001b[31m', 'a\\u{0}b\\u{1b}[31m'],
    ['\ud83d', '\\u{d83d}'],
    ['\u2066x\ufeff', '\\u{2066}x\\u{feff}'],
    ['line\nline\ttab', 'line\nline\ttab'],
    ['日本 😀 é', '日本 😀 é'],
  ])('writes out what cannot be seen of %j', (text, shown) => {
    expect(node('p', {}, text).children).toEqual([shown]);
  });

  it('leaves out what is missing, however deep', () => {
    const list = node('ul', {}, [node('li', {}, 'a'), [null, false, [node('li', { class: 'b' })]]], null);
    expect(toHtml(list)).toBe('<ul><li>a</li><li class="b"></li></ul>');
  });
});
