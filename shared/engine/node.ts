import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from './readers/reader.ts';
import type { RuleFile } from './sigma/load-rules.ts';

/** A file as a source of bytes; must be closed. Rejects with the file system's error. */
export async function fileSource(path: string): Promise<ByteSource & { close(): Promise<void> }> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return {
    size,
    async read(offset, into) {
      const { bytesRead } = await file.read(into, 0, into.length, offset);
      return bytesRead;
    },
    close: () => file.close(),
  };
}

/** Rule files below folders, and files as they are, in sorted order. Rejects with the path that cannot be read. */
export async function readRuleFiles(paths: readonly string[]): Promise<RuleFile[]> {
  const found = (await Promise.all(paths.map(ruleFilesIn))).flat();
  return Promise.all(found.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

async function ruleFilesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
