import { expect, it } from 'vitest';
import { wrapParts } from './wrap-parts.ts';

const parts = (name: string, text: string) => wrapParts(name, text, []).map((part) => part.text);

it.each([
  ['cmd.exe /c  whoami', ['cmd.exe', ' ', '/c', '  ', 'whoami']],
  ['"C:\\Program Files\\a.exe" -x', ['"C:\\Program Files\\a.exe"', ' ', '-x']],
  ['/out:"a b"c d', ['/out:"a b"c', ' ', 'd']],
  ['x "open end', ['x', ' ', '"open end']],
  [' \r\n', [' \r\n']],
  ['', []],
])('wraps the command line %j between its arguments', (text, expected) => {
  for (const name of ['CommandLine', 'ParentCommandLine', 'command_line']) expect(parts(name, text)).toEqual(expected);
  expect(expected.join('')).toBe(text);
});

it('wraps digests behind their commas', () => {
  expect(parts('Hashes', 'MD5=AB,SHA256=CD')).toEqual(['MD5=AB,', 'SHA256=CD']);
  expect(parts('Hashes', ',,a,')).toEqual([',', ',', 'a,']);
});

it('leaves other values whole', () => {
  expect(parts('Image', 'C:\\a b,\nc')).toEqual(['C:\\a b,\nc']);
});

it('keeps what is marked, over several parts too', () => {
  expect(wrapParts('CommandLine', 'net user /add', [[4, 9], [11, 13]])).toEqual([
    { text: 'net', isBlank: false, marks: [] },
    { text: ' ', isBlank: true, marks: [] },
    { text: 'user', isBlank: false, marks: [[0, 4]] },
    { text: ' ', isBlank: true, marks: [[0, 1]] },
    { text: '/add', isBlank: false, marks: [[2, 4]] },
  ]); // oxfmt-ignore
});
