import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { RuleFile } from '../sigma/load-rules.ts';

/** A rule file as the file system knows it; times are nanoseconds since 1970. */
export interface RuleFileEntry {
  readonly path: string;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/**
 * Rule files (`.yml`, `.yaml`) below folders, in sorted order, and files as they are named, each once. Rejects
 * with the file system's error, which names the path that is missing or cannot be read.
 */
export async function readRuleFiles(paths: readonly string[]): Promise<RuleFile[]> {
  return ruleFilesIn(paths).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** The same files without what is in them; throws the same errors. */
export function listRuleFiles(paths: readonly string[]): RuleFileEntry[] {
  return ruleFilesIn(paths).map((path) => {
    const { size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return { path, size, mtimeNs, ctimeNs };
  });
}

/** All files below a folder, in sorted order; links are not followed. */
export function filesOfFolder(folder: string): string[] {
  return filesBelow(folder, () => true).sort();
}

// Thousands of small files: asking for each through the thread pool takes four times as long.
function ruleFilesIn(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path).sort() : [normalize(path)]));
  return [...new Set(found)];
}

const isRuleFile = (name: string): boolean => /\.ya?ml$/i.test(name);

function filesBelow(folder: string, wants = isRuleFile, found: string[] = []): string[] {
  // Joining each name takes as long as listing it.
  const under = join(folder, '_').slice(0, -1);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) filesBelow(under + entry.name, wants, found);
    else if (entry.isFile() && wants(entry.name)) found.push(under + entry.name);
  }
  return found;
}
