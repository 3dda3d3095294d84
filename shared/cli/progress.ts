import { cut, duration, number, printable, rate, size } from './formats/text.ts';
import type { Terminal } from './terminal.ts';

/** A line on the terminal that says how far a run is. */
export interface Progress {
  /** Instead of figures, before there are any. */
  say(text: string): void;
  begin(inputs: readonly { readonly bytes: number }[]): void;
  update(filesDone: number, bytesDone: number, name: string): void;
  /** Takes the line away, as other text is to come or the run is over; a later update draws it again. */
  clear(): void;
}

const everyMs = 100;
/** Shorter runs would only make it flicker. */
const afterMs = 250;
const barWidth = 24;
const showCursor = '\u001B[?25h';
const hideCursor = '\u001B[?25l';
const eraseLine = '\r\u001B[K';

/** Draws on `err`, and nothing at all where nobody watches. */
export function progressOn(terminal: Terminal, isQuiet: boolean): Progress {
  const width = terminal.statusWidth;
  if (width === 0 || isQuiet) return { say: () => {}, begin: () => {}, update: () => {}, clear: () => {} };
  const created = performance.now();
  let started = created;
  let drawnAt = -Infinity;
  let isShown = false;
  let total = { files: 0, bytes: 0 };
  const draw = (line: string): void => {
    terminal.err(`${isShown ? '' : hideCursor}\r${cut(line, width - 1)}\u001B[K`);
    isShown = true;
    drawnAt = performance.now();
  };
  return {
    say: (text) => draw(`  ${text}`),
    begin: (inputs) => {
      started = performance.now();
      total = { files: inputs.length, bytes: inputs.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    update: (filesDone, bytesDone, name) => {
      const now = performance.now();
      if (now - created < afterMs || now - drawnAt < everyMs) return;
      draw(progressLine(filesDone, bytesDone, name, total, now - started));
    },
    clear: () => {
      if (isShown) terminal.err(`${eraseLine}${showCursor}`);
      isShown = false;
    },
  };
}

/** `  ━━━━━───────  42 %   17 of 41 files   11.0 MiB of 26.1 MiB  8.5 MiB/s   2 s left   Security.evtx`. */
export function progressLine(
  filesDone: number,
  bytesDone: number,
  name: string,
  total: { readonly files: number; readonly bytes: number },
  elapsedMs: number,
): string {
  const share = total.bytes === 0 ? 1 : Math.min(1, bytesDone / total.bytes);
  const filled = Math.round(share * barWidth);
  const left = share === 0 ? Infinity : (elapsedMs / share) * (1 - share);
  const parts = [
    `${'━'.repeat(filled)}${'─'.repeat(barWidth - filled)}`,
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    ...(total.files > 1 ? [`${number(filesDone)} of ${number(total.files)} files`] : []),
    `${size(Math.round(bytesDone))} of ${size(total.bytes)}`,
    rate(bytesDone, elapsedMs),
    ...(left < 360_000_000 && elapsedMs > 1000
      ? [`${duration(Math.ceil(left / 1000) * 1000).replace('.00', '')} left`]
      : []),
    printable(name),
  ];
  return `  ${parts.join('  ')}`;
}
