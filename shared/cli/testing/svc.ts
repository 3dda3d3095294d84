import { run } from '../run.ts';

/** Runs the command line in this process, its streams no terminal, and gives what it wrote. */
export async function svc(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const code = await run(argv, {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    width: Infinity,
    colour: false,
  });
  return { code, ...written };
}
