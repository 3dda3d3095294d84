import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileError } from '../file-error.ts';
import { type Input, standardInput } from './find-inputs.ts';

/** What standard input gave, in a file of its own, as logs are not read from front to back only. */
export interface Spool {
  /** Rejects with a `FileError`, and with the signal's reason. */
  fill(signal: AbortSignal): Promise<Input>;
  /** Removes the file. */
  remove(): Promise<void>;
}

export function spoolOf(input: Readable & { readonly isTTY?: boolean }): Spool {
  let folder: string | undefined;
  return {
    async fill(signal) {
      if (input.isTTY) throw new FileError('-: standard input is a terminal; pipe a log into it');
      folder = await mkdtemp(join(tmpdir(), 'svc-stdin-'));
      const path = join(folder, 'log');
      await pipeline(input, (await open(path, 'wx', 0o600)).createWriteStream(), { signal });
      return { path, name: standardInput, bytes: (await stat(path)).size, modified: Date.now(), isNamed: true };
    },
    remove: async () => (folder === undefined ? undefined : rm(folder, { recursive: true, force: true })),
  };
}
