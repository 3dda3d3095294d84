import DOMPurify, { type Config } from 'dompurify';
import { Marked } from 'marked';

const marked = new Marked({
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
      return linkTo(href, this.parser.parseInline(tokens));
    },
    // Loading it would tell its server who reads this, and when.
    image({ href, text }) {
      return linkTo(href, escaped(text === '' ? href : text));
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** Nothing else comes out, whatever the parser makes of a text. */
const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: 'a blockquote br code del em h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul'.split(' '),
  ALLOWED_ATTR: ['href', 'rel', 'start', 'target'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // Else the rule for addresses is held against these, too.
  ADD_URI_SAFE_ATTR: ['rel', 'start', 'target'],
  ALLOWED_URI_REGEXP: /^(https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true,
};

/** Markdown as elements: no raw HTML, no images, links by http, https and mailto alone. */
export function renderMarkdown(text: string): DocumentFragment {
  return DOMPurify.sanitize(marked.parse(text, { async: false }), allowed);
}

/** Only what is inside, when the address is not one to follow. */
function linkTo(href: string, inside: string): string {
  if (!URL.canParse(href, window.location.origin)) return inside;
  const url = new URL(href, window.location.origin);
  if (!['http:', 'https:', 'mailto:'].includes(url.protocol)) return inside;
  const away = url.origin === window.location.origin ? '' : ' target="_blank"';
  return `<a href="${escaped(url.href)}" rel="noopener nofollow"${away}>${inside}</a>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
