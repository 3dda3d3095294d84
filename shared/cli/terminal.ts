/** Where the program writes, and what that place can show. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Characters in a line; unlimited when output goes to a file or another program. */
  readonly width: number;
  readonly colour: boolean;
}

/** The process's own standard streams. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    width: stdout.isTTY ? stdout.columns : Infinity,
    colour: stdout.isTTY && !env.NO_COLOR && env.TERM !== 'dumb',
  };
}
