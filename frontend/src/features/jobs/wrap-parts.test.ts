import { describe, expect, it } from 'vitest';
import { isCommandLine, splitArguments } from './split-arguments.ts';

const parts = (text: string) => splitArguments(text, []).map((part) => part.text);

describe('a command line', () => {
  it.each([
    ['cmd.exe /c  whoami', ['cmd.exe', ' ', '/c', '  ', 'whoami']],
    ['"C:\\Program Files\\a.exe" -x', ['"C:\\Program Files\\a.exe"', ' ', '-x']],
    ['/out:"a b"c d', ['/out:"a b"c', ' ', 'd']],
    ['x "open end', ['x', ' ', '"open end']],
    [' \r\n', [' \r\n']],
    ['', []],
  ])('%j is wrapped between its arguments', (text, expected) => {
    expect(parts(text)).toEqual(expected);
    expect(parts(text).join('')).toBe(text);
  });

  it('keeps what is marked, over several arguments too', () => {
    expect(splitArguments('net user /add', [[4, 9], [11, 13]])).toEqual([
      { text: 'net', isBlank: false, marks: [] },
      { text: ' ', isBlank: true, marks: [] },
      { text: 'user', isBlank: false, marks: [[0, 4]] },
      { text: ' ', isBlank: true, marks: [[0, 1]] },
      { text: '/add', isBlank: false, marks: [[2, 4]] },
    ]); // oxfmt-ignore
  });

  it('is known by the name of its field', () => {
    expect(['CommandLine', 'ParentCommandLine', 'command_line'].every(isCommandLine)).toBe(true);
    expect(isCommandLine('Image')).toBe(false);
  });
});
