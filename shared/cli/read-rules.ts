import { type LoadedRules, type LoadOptions, loadRules, readPlaceholders, type RuleFile } from '@svc/engine';
import { loadRulesFrom, PackError, readPack, readRuleFiles } from '@svc/engine/node';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlaceholderOptions } from './arguments.ts';
import { asFileError, FileError } from './file-error.ts';
import { ruleCache } from './cache-folders.ts';

// The same from this source and from the bundle, which both lie two folders deep.
const corePack = fileURLToPath(new URL('../../config/sigma', import.meta.url));

/** Loads the rules below folders and at paths, the core pack where none is named; rejects with a `FileError`. */
export async function rulesFrom(paths: readonly string[], placeholders: PlaceholderOptions): Promise<LoadedRules> {
  const named = paths.length > 0 ? paths : [corePack];
  const options = await loadOptions(placeholders);
  if (named.some(isPack)) return loadRules(await readRules(named), options);
  return namingFiles(named, () => loadRulesFrom(named, options, ruleCache(process.env)));
}

/** How rules are to be loaded; rejects with a `FileError` where the values of placeholders cannot be read. */
export async function loadOptions({ file, unknown }: PlaceholderOptions): Promise<LoadOptions> {
  const unknownPlaceholders = unknown;
  if (file === undefined) return { unknownPlaceholders };
  const text = await namingFiles([file], () => readFile(file, 'utf8'));
  try {
    return { placeholders: readPlaceholders(text), unknownPlaceholders };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FileError(`${file}: ${error.message}`, { cause: error });
  }
}

/** The rule files below folders, in packs and at paths; rejects with a `FileError`. */
export async function readRules(paths: readonly string[]): Promise<RuleFile[]> {
  const named = paths.filter((path) => !isPack(path));
  const files = await namingFiles(named, () => readRuleFiles(named));
  for (const path of paths.filter(isPack)) files.push(...(await namingFiles([path], () => readPacked(path))));
  return files;
}

/** Whether a path is that of an archive with rules. */
function isPack(path: string): boolean {
  return /\.(zip|tgz|tar\.gz)$/i.test(path);
}

async function readPacked(path: string): Promise<RuleFile[]> {
  try {
    const { rules } = await readPack(path);
    return rules.map(({ path: name, text }) => ({ path: join(path, name), text }));
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    throw new FileError(`${path}: ${error.message}`, { cause: error });
  }
}

async function namingFiles<T>(paths: readonly string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? String(error.path) : paths.join(', ');
    throw asFileError(path, error);
  }
}
