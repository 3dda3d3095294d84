import type { MessageText } from '../../sigma/linux-sources.ts';
import { indexOfByte } from '../text/index-of-byte.ts';
import { decodePlain } from '../xml/xml-text.ts';

const PERCENT = 0x25;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const longestHead = 128;
const longestTrace = 4096;

const ciscoMnemonic = /%([A-Z][A-Z\d_]*)-(?:[A-Z\d_]+-)?\d-[A-Z\d_]+/;
const huaweiMnemonic = /%%\d*[A-Z][A-Z\d_]*\/\d\//;
const panOs = /^\d,\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d,[^,]*,[A-Z-]+,/;
const juniperCheck = 'tcp_auth_ok';

/** What the text of a message at [start, end) tells of where it comes from; null where it tells nothing. */
export function messageText(
  bytes: Uint8Array,
  start: number,
  end: number,
  program: number,
  isTagged: boolean,
): MessageText | null {
  // Mnemonics of routers stand where a program would, or without one.
  const from = isTagged ? program : start;
  const mayBeRouter = !isTagged || bytes[program] === PERCENT || isDigit(bytes[program]!);
  const fromRouter = mayBeRouter ? routerText(bytes, from, Math.min(end, from + longestHead)) : null;
  if (fromRouter !== null) return fromRouter;
  if (bytes[start] === 0x74 && decodePlain(bytes, start, juniperCheck.length) === juniperCheck) return 'juniper';
  const lineEnd = indexOfByte(bytes, LINE_FEED, start);
  return lineEnd < 0 || lineEnd >= end
    ? null
    : traceText(decodePlain(bytes, start, Math.min(end - start, longestTrace)));
}

function routerText(bytes: Uint8Array, start: number, end: number): MessageText | null {
  const mayBePanOs = bytes[start + 1] === COMMA && isDigit(bytes[start]!);
  let at = start;
  while (at < end && bytes[at] !== PERCENT) at++;
  if (at === end && !mayBePanOs) return null;
  const text = decodePlain(bytes, start, end - start);
  if (mayBePanOs && panOs.test(text)) return 'paloalto';
  if (huaweiMnemonic.test(text)) return 'huawei';
  const facility = ciscoMnemonic.exec(text)?.[1];
  if (facility === undefined) return null;
  return facility === 'PARSER' || facility.startsWith('AAA') ? 'ciscoAaa' : 'cisco';
}

/** Whose stack trace a text of several lines holds; null where it holds none. */
export function traceText(text: string): MessageText | null {
  if (text.includes('Traceback (most recent call last)')) return 'python';
  if (/\n\s+at [^\n]*\((?:node:|\/[^\n)]*\.[cm]?js:)/.test(text)) return 'node';
  return /\n\s+at [\w$.<>]+\(/.test(text) ? 'java' : null;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
