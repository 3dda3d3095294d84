import { expect, it } from 'vitest';
import { progressLine, progressOn } from './progress.ts';
import type { Terminal } from './terminal.ts';

it.each([
  [
    3,
    25 * 1024 ** 2,
    2000,
    '  ━━━━━━──────────────────   25 %  3 of 9 files  25.0 MiB of 100 MiB  12.5 MiB/s  6 s left  x.evtx',
  ],
  [0, 0, 300, '  ────────────────────────    0 %  0 of 9 files  0 bytes of 100 MiB  0 bytes/s  x.evtx'],
  [
    9,
    100 * 1024 ** 2,
    100_000,
    '  ━━━━━━━━━━━━━━━━━━━━━━━━  100 %  9 of 9 files  100 MiB of 100 MiB  1.0 MiB/s  0 s left  x.evtx',
  ],
])('%i files and %i bytes after %i ms', (files, bytes, elapsed, line) => {
  expect(progressLine(files, bytes, 'x.evtx', { files: 9, bytes: 100 * 1024 ** 2 }, elapsed)).toBe(line);
});

function watched(statusWidth: number, isQuiet = false): { readonly written: string[]; readonly show: () => void } {
  const written: string[] = [];
  const terminal = { err: (text: string) => void written.push(text), statusWidth } as Terminal;
  const progress = progressOn(terminal, isQuiet);
  const show = (): void => {
    progress.say(`loading ${'rules '.repeat(20)}`);
    progress.clear();
    progress.clear();
  };
  return { written, show };
}

it('keeps to the line, and leaves neither text nor a hidden cursor behind', () => {
  const { written, show } = watched(40);
  show();
  expect(written).toEqual([`\u001B[?25l\r  loading rules rules rules rules rule…\u001B[K`, '\r\u001B[K\u001B[?25h']);
});

it('draws nothing where nobody watches', () => {
  for (const { written, show } of [watched(0), watched(40, true)]) {
    show();
    expect(written).toEqual([]);
  }
});
