import { Marked } from 'marked';

const longest = 20_000;
/** Quotes and lists that begin within each other on one line: the parser goes one level deeper for each. */
const deep = /^[ \t]*(?:(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+)){21}/m;
/** In one block; each is looked for in what follows it. */
const mostMarks = 1000;
/** Longer than any name of a mailbox is. */
const longMailbox = /[\w.!#$%&'*+/=?^`{|}~-]{255}@/;

/**
 * Markdown as HTML, still to be sanitised; null for what is better shown as it was written, since the
 * parser's depth and time grow with it beyond what a page can bear.
 * @param origin of the page, whose links stay in its window; null for a text of which nothing may be followed: the
 * addresses of its links are shown, and lead nowhere.
 */
export function markdownHtml(text: string, origin: string | null): string | null {
  if (text.length > longest || deep.test(text) || longMailbox.test(text)) return null;
  if (text.split(/\n[ \t]*\n/).some((block) => (block.match(/[*_~[\]`]/g)?.length ?? 0) > mostMarks)) return null;
  try {
    return parserFor(origin).parse(text, { async: false });
  } catch {
    return null;
  }
}

function parserFor(origin: string | null): Marked {
  return new Marked({
    breaks: true,
    // Raw HTML is no part of this Markdown: left to the rules for text, it is escaped like any other.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      // Below the headings of the page that it stands in.
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + 3);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }) {
        return linkTo(origin, href, this.parser.parseInline(tokens));
      },
      // Loading it would tell its server who reads this, and when.
      image({ href, text }) {
        return linkTo(origin, href, escaped(text === '' ? href : text));
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    },
  });
}

/** Only what is inside, when the address is not one to follow. */
function linkTo(origin: string | null, href: string, inside: string): string {
  if (origin === null)
    return inside === escaped(href) ? `<code>${inside}</code>` : `${inside} (<code>${escaped(href)}</code>)`;
  if (!URL.canParse(href, origin)) return inside;
  const url = new URL(href, origin);
  if (!['http:', 'https:', 'mailto:'].includes(url.protocol)) return inside;
  const away = url.origin === origin ? '' : ' target="_blank"';
  return `<a href="${escaped(url.href)}" rel="noopener nofollow"${away}>${inside}</a>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
