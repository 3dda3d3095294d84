import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileError } from '../file-error.ts';
import { type Input, standardInput } from './find-inputs.ts';
import { type Log, openInput } from './open-input.ts';

/**
 * Opens one log by the name that reports give it: a file, an entry of an archive (`logs.zip/auth.log`), or what
 * `spool` makes of standard input. Rejects with a `FileError` and with the file system's errors.
 */
export async function openLog(
  name: string,
  spool: () => Promise<Input>,
): Promise<{ readonly log: Log; readonly close: () => Promise<void> }> {
  const input = name === standardInput ? await spool() : await inputOf(name);
  const opened = await openInput(input);
  const { logs, refused } = opened;
  const close = (): Promise<void> => opened.close();
  const log = logs.find((one) => one.name === name) ?? (name === input.name && logs.length === 1 ? logs[0] : undefined);
  if (log !== undefined) return { log, close };
  await close();
  const damaged = refused.find(({ message }) => message.startsWith(`${name}: `)) ?? (logs.length === 0 && refused[0]);
  if (damaged) throw damaged;
  const [first] = logs;
  if (first === undefined) throw new FileError(`${input.name}: no log is in it`);
  const wrong = name === input.name ? 'it is an archive' : `there is no such log in ${input.name}`;
  throw new FileError(`${name}: ${wrong}; name one of its logs, as ${first.name}`);
}

/** The file of that name, or the one on the way to it. */
async function inputOf(name: string): Promise<Input> {
  for (let path = name; ; path = dirname(path)) {
    const entry = await stat(path).catch(() => undefined);
    if (entry?.isFile()) {
      return { path, name: path, bytes: entry.size, modified: Math.trunc(entry.mtimeMs), isNamed: true };
    }
    if (entry?.isDirectory() && path === name) throw new FileError(`${name}: it is a folder; name one log`);
    if (entry !== undefined || dirname(path) === path) throw new FileError(`${name}: there is no such file`);
  }
}
