import { Readable } from 'node:stream';
import { run } from '../run.ts';
import type { Terminal } from '../terminal.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process, its streams no terminal, and gives what it wrote. */
export async function svc(...argv: string[]): Promise<Ran> {
  return svcOn({}, ...argv);
}

/** The same on a terminal, or with an input, as far as one is given. */
export function svcOn(terminal: Partial<Terminal>, ...argv: string[]): Promise<Ran> {
  return ran(terminal, (whole) => run(argv, whole));
}

/** What a program wrote on such a terminal. */
export async function ran(terminal: Partial<Terminal>, program: (terminal: Terminal) => Promise<number>): Promise<Ran> {
  const written = { out: '', err: '' };
  const code = await program({
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    input: Readable.from([]),
    drained: () => Promise.resolve(),
    width: Infinity,
    colour: false,
    statusWidth: 0,
    ...terminal,
  });
  return { code, ...written };
}
