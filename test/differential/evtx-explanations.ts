import type { Difference } from './evtx-trees.ts';

// oxlint-disable-next-line no-control-regex -- these are what it is about
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const explanations: readonly [string, (difference: Difference) => boolean][] = [
  [
    'element of an absent optional value, which we leave out as Event Viewer does',
    ({ form, ours, theirs }) => ours === undefined && theirs === (form === 'json' ? 'null' : ''),
  ],
  [
    'attribute with the empty text, which the peer leaves out',
    ({ form, path, ours, theirs }) => form === 'xml' && path.includes('@') && ours === '' && theirs === undefined,
  ],
  [
    'SYSTEMTIME, which has milliseconds and no more',
    ({ ours = '', theirs = '' }) => ours !== theirs && ours === theirs.replaceAll(/(T[\d:]{8}\.\d{3})000Z/g, '$1Z'),
  ],
  [
    'boolean that is neither 0 nor 1, which the peer takes for a number',
    ({ ours = '', theirs = '' }) => ours === 'true' && /^\d+$/.test(theirs),
  ],
  [
    'repeated name, of which the peer’s JSON keeps one value',
    ({ form, ours = '', theirs = '' }) => form === 'json' && ours.startsWith('[') && !theirs.startsWith('['),
  ],
  [
    'RenderingInfo of a forwarded event, which the peer leaves out',
    ({ path, theirs }) => /^(?:\/Event)?\/(?:RenderingInfo|\w+_Text$|Message$)/.test(path) && theirs === undefined,
  ],
  [
    'character that XML does not allow, which the peer writes all the same and we as U+FFFD',
    ({ form, ours = '', theirs = '' }) => form === 'xml' && ours === theirs.replaceAll(notInXml, '\uFFFD'),
  ],
  [
    'record without TimeCreated, whose time is that of its header',
    ({ form, path, theirs }) => form === 'field' && path === '/TimeCreated_SystemTime' && theirs === undefined,
  ],
];

/** Why a difference is none of ours; see “EVTX fields” in docs/engine-differences.md. */
export function explanationOf(difference: Difference): string | undefined {
  return explanations.find(([, applies]) => applies(difference))?.[0];
}
