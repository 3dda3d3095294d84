import type { LoadedRules, RuleFile } from '@svc/engine';
import { loadRulesFrom, readRuleFiles } from '@svc/engine/node';
import { fileURLToPath } from 'node:url';
import { asFileError } from './file-error.ts';
import { ruleCache } from './rule-cache.ts';

// The same from this source and from the bundle, which both lie two folders deep.
const corePack = fileURLToPath(new URL('../../config/sigma', import.meta.url));

/** Loads the rules below folders and at paths, the core pack where none is named; rejects with a `FileError`. */
export async function rulesFrom(paths: readonly string[]): Promise<LoadedRules> {
  const named = paths.length > 0 ? paths : [corePack];
  return namingFiles(named, () => loadRulesFrom(named, {}, ruleCache(process.env)));
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
