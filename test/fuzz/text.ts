import type { Random } from '../samples/random.ts';
import { replaceBytes } from './bytes.ts';

/** What the syntaxes of the text logs are made of. */
const tokens = [
  ...'"\'\\{}[]()<>|,;:=&%#/@ \t\n\r\0^~-+*?._'.split(''),
  '\r\n',
  '\\"',
  '""',
  '\\u0000',
  '\\ud800',
  '\\u',
  '&#x41;',
  '&lt;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '</Event>',
  '<Event>',
  '<Data Name="',
  'null',
  'true',
  '{"a":',
  '[[',
  '{}',
  '1e999',
  '-0',
  '9007199254740993',
  '18446744073709551616',
  '0x',
  'type=EXECVE msg=audit(1.0:1): ',
  'a0[1]=',
  'saddr=02000050',
  '\u001d',
  '<13>',
  '<14>1 - - - - - [x@1 a="',
  'Mar  1 10:00:01 ',
  '2024-02-30T24:61:61.9999999999Z',
  '-0001-13-99',
  'MESSAGE\n',
  '__CURSOR=',
  '#Fields: ',
  '#separator \\x',
  '#fields\t',
  '#types\tset[',
  '#path\t',
  'CEF:0|',
  'LEEF:2.0|',
  '%41',
  '%ZZ',
  '[17/May/2015:10:05:03 +0000]',
  'EventID',
  'Channel',
  'eventSource',
  '__proto__',
  'constructor',
  '\uFEFF',
  '\uD83D\uDE00',
  'İ',
  'ß',
];

const raw = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0xfe, 0xff],
  [0xff, 0xfe],
];
const pieces: readonly Uint8Array[] = [
  ...tokens.map((token) => new TextEncoder().encode(token)),
  ...raw.map((bytes) => Uint8Array.from(bytes)),
];

/** Changes that a text log's syntax makes something of. */
export function mutateText(bytes: Uint8Array, random: Random): Uint8Array {
  switch (random.int(0, 7)) {
    case 0:
      return dropLine(bytes, random);
    case 1:
      return doubleLine(bytes, random);
    case 2:
      return random.int(0, 9) === 0
        ? repeatToken(bytes, random)
        : replaceBytes(bytes, at(bytes, random), 1, piece(random));
    case 3:
      return random.int(0, 9) === 0 ? encoded(bytes, random) : swapLike(bytes, random);
    case 4:
      return swapLike(bytes, random);
    default:
      return replaceBytes(bytes, at(bytes, random), 0, piece(random));
  }
}

function piece(random: Random): Uint8Array {
  return random.pick(pieces);
}

function at(bytes: Uint8Array, random: Random): number {
  return random.int(0, Math.max(0, bytes.length - 1));
}

/** One of the characters of the log's own syntax for another, wherever it stands. */
function swapLike(bytes: Uint8Array, random: Random): Uint8Array {
  const from = at(bytes, random);
  const next = bytes.subarray(from).findIndex((byte) => byte < 0x30 || (byte > 0x39 && byte < 0x41) || byte > 0x7a);
  return next < 0 ? bytes : replaceBytes(bytes, from + next, random.int(0, 1), piece(random));
}

function repeatToken(bytes: Uint8Array, random: Random): Uint8Array {
  const token = piece(random);
  const many = new Uint8Array(token.length * random.pick([10, 300, 3000]));
  for (let i = 0; i < many.length; i += token.length) many.set(token, i);
  return replaceBytes(bytes, at(bytes, random), 0, many);
}

function line(bytes: Uint8Array, random: Random): [start: number, end: number] {
  const from = at(bytes, random);
  const end = bytes.indexOf(10, from);
  return [bytes.lastIndexOf(10, from) + 1, end < 0 ? bytes.length : end + 1];
}

function dropLine(bytes: Uint8Array, random: Random): Uint8Array {
  const [start, end] = line(bytes, random);
  return replaceBytes(bytes, start, Math.max(0, end - start), new Uint8Array(0));
}

function doubleLine(bytes: Uint8Array, random: Random): Uint8Array {
  const [start, end] = line(bytes, random);
  return replaceBytes(bytes, at(bytes, random), 0, bytes.slice(start, end));
}

function encoded(bytes: Uint8Array, random: Random): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  const marked = Buffer.from(`${random.pick(['\uFEFF', ''])}${text}`, 'utf16le');
  switch (random.int(0, 2)) {
    case 0:
      return Uint8Array.from(marked);
    case 1:
      return Uint8Array.from(marked.subarray(0, marked.length & ~1).swap16());
    default:
      return Uint8Array.from(Buffer.from(text, 'latin1'));
  }
}
