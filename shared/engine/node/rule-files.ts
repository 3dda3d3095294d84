import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuleFile } from '../sigma/load-rules.ts';

/** Files open at once; some systems allow few. */
const openAtOnce = 64;

/**
 * Rule files (`.yml`, `.yaml`) below folders, in sorted order, and files as they are named. Rejects with
 * the file system's error, which names the path that is missing or cannot be read.
 */
export async function readRuleFiles(paths: readonly string[]): Promise<RuleFile[]> {
  const found = (await Promise.all(paths.map(ruleFilesIn))).flat();
  const files: RuleFile[] = [];
  for (let at = 0; at < found.length; at += openAtOnce) {
    const some = found.slice(at, at + openAtOnce);
    files.push(...(await Promise.all(some.map(async (path) => ({ path, text: await readFile(path, 'utf8') })))));
  }
  return files;
}

async function ruleFilesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
