import { type LoadedRules, type LoadOptions, readPlaceholders, type RuleFile } from '@svc/engine';
import { loadRulesFrom, readRuleFiles } from '@svc/engine/node';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PlaceholderOptions } from './arguments.ts';
import { asFileError, FileError } from './file-error.ts';
import { ruleCache } from './rule-cache.ts';

// The same from this source and from the bundle, which both lie two folders deep.
const corePack = fileURLToPath(new URL('../../config/sigma', import.meta.url));

/** Loads the rules below folders and at paths, the core pack where none is named; rejects with a `FileError`. */
export async function rulesFrom(paths: readonly string[], placeholders: PlaceholderOptions): Promise<LoadedRules> {
  const named = paths.length > 0 ? paths : [corePack];
  const options = await loadOptions(placeholders);
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

/** The rule files below folders and at paths; rejects with a `FileError`. */
export async function readRules(paths: readonly string[]): Promise<RuleFile[]> {
  return namingFiles(paths, () => readRuleFiles(paths));
}

async function namingFiles<T>(paths: readonly string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? String(error.path) : paths.join(', ');
    throw asFileError(path, error);
  }
}
