import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asFileError, FileError } from './file-error.ts';
import type { Terminal } from './terminal.ts';

/** Where a report goes. */
export interface Output {
  write(text: string): Promise<void>;
  /** Makes the file appear, whole. */
  commit(): Promise<void>;
  /** Leaves nothing behind; does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Writes to standard output as fast as that is read. */
export function standardOutput(terminal: Terminal): Output {
  return {
    write: (text) => {
      terminal.out(text);
      return terminal.drained();
    },
    commit: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

/** Writes beside a file, which is replaced at the end only; rejects with a `FileError`. */
export async function fileOutput(path: string): Promise<Output> {
  const entry = await stat(path).catch(() => undefined);
  // A device or a pipe is written to and never replaced.
  const isPlain = entry === undefined || entry.isFile();
  const part = isPlain ? join(dirname(path), `.${basename(path)}.${randomUUID()}.part`) : path;
  const telling = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new FileError(`${path}: there is no such folder`, { cause: error });
      throw asFileError(path, error);
    });
  const file = await telling(open(part, 'w'));
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    write: (text) => telling(file.writeFile(text)),
    commit: async () => {
      await close();
      if (isPlain) await telling(rename(part, path));
    },
    discard: async () => {
      await close();
      if (isPlain) await rm(part, { force: true });
    },
  };
}
