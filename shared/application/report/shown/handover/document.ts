import { count, counted } from '@svc/domain';
import { node, toHtml, type DocumentNode } from './document-node.ts';
import { findingLine, findingsPart, tableOf } from './findings-part.ts';
import type { Handover, KnownFact } from './handover.ts';
import { shownTime } from './shown-time.ts';
import { handoverStyle } from './style.ts';
import { summaryPart } from './summary-part.ts';

/** The report as a document: one page of summary, findings with evidence, what people said, and the appendix. */
export function handoverDocument(handover: Handover): DocumentNode {
  return node(
    'article',
    { class: 'handover' },
    head(handover),
    summaryPart(handover),
    findingsPart(handover),
    commentsPart(handover),
    appendix(handover),
  );
}

/** The same as a file of its own: it loads nothing, runs nothing, and says so to the browser that opens it. */
export function handoverHtml(handover: Handover): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`,
    '<meta name="referrer" content="no-referrer">\n',
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    toHtml(node('title', {}, `${handover.subject.name} · report`)),
    `\n<style>${handoverStyle}</style>\n</head>\n<body>\n<main>`,
    toHtml(handoverDocument(handover)),
    '</main>\n</body>\n</html>\n',
  ].join('');
}

function head({ subject, at, by }: Handover): DocumentNode {
  return node(
    'header',
    {},
    node('h1', {}, subject.name),
    node('p', { class: 'soft' }, subject.standing.join(' · ')),
    node(
      'p',
      { class: 'soft' },
      `Report of ${shownTime(at)} UTC${by === null ? '' : `, made by ${by}`}. All times are UTC.`,
    ),
    subject.address !== null && node('p', { class: 'soft' }, node('a', { href: subject.address }, subject.address)),
  );
}

function commentsPart({ comments }: Handover): DocumentNode | null {
  if (comments === null || comments.list.length === 0) return null;
  const { total, list } = comments;
  return node(
    'section',
    {},
    node('h2', {}, counted(total, 'comment')),
    list.length < total && node('p', { class: 'soft' }, `The newest ${count(list.length)} of them.`),
    list.map(({ author, body, at, isEdited }) =>
      node(
        'div',
        { class: 'comment' },
        node(
          'p',
          { class: 'soft' },
          `${author ?? 'A deleted account'} · ${shownTime(at)}${isEdited ? ' · edited' : ''}`,
        ),
        node('p', { class: 'body' }, body),
      ),
    ),
  );
}

function appendix({ subject, findings }: Handover): DocumentNode {
  return node(
    'section',
    { class: 'appendix' },
    node('h2', {}, 'Appendix'),
    node('h3', {}, 'File'),
    facts(subject.file),
    node('h3', {}, 'How this report was made'),
    facts(subject.making),
    node('h3', {}, counted(findings.length, 'finding')),
    findings.length > 0 &&
      tableOf(
        [
          ['Severity', 'tight'],
          ['Rule'],
          ['Events', 'number'],
          ['First and last, UTC', 'tight'],
          ['ATT&CK'],
          ['Engine'],
        ],
        findings.map(findingLine),
      ),
  );
}

function facts(known: readonly KnownFact[]): DocumentNode {
  return node(
    'dl',
    { class: 'facts' },
    known.map(([name, value]) => node('div', {}, node('dt', {}, name), node('dd', {}, value))),
  );
}
