import DOMPurify, { type Config } from 'dompurify';
import { markdownHtml } from './markdown-html.ts';

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

/** Markdown as elements: no raw HTML, no images, links by http, https and mailto alone. Null where it is no Markdown. */
export function renderMarkdown(text: string): readonly Node[] | null {
  const html = markdownHtml(text, window.location.origin);
  return html === null ? null : [...DOMPurify.sanitize(html, allowed).childNodes];
}

/** The same of a text that nobody answers for: nothing in it can be followed. */
export function renderUntrusted(text: string): DocumentFragment | null {
  const html = markdownHtml(text, null);
  return html === null ? null : DOMPurify.sanitize(html, { ...allowed, FORBID_TAGS: ['a'] });
}
