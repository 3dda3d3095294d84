import type { Readable } from 'node:stream';

/** Where the program writes, and what that place can show. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Resolves when what was written to `out` is on its way, so that output is made no faster than it is read. */
  drained(): Promise<void>;
  /** Characters in a line; unlimited when output goes to a file or another program. */
  readonly width: number;
  readonly colour: boolean;
  /** Characters in a line that is drawn over on `err`; 0 where nobody watches. */
  readonly statusWidth: number;
}

/** Some terminals do not tell theirs. */
const usualWidth = 80;

/** The process's own standard streams. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const isPlain = env.TERM === 'dumb';
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    input: stdin,
    drained: () => new Promise((resolve) => (stdout.writableNeedDrain ? stdout.once('drain', resolve) : resolve())),
    width: stdout.isTTY ? stdout.columns || usualWidth : Infinity,
    colour: stdout.isTTY && !env.NO_COLOR && !isPlain,
    statusWidth: stderr.isTTY && !isPlain && !env.CI ? stderr.columns || usualWidth : 0,
  };
}
