import { loadRules, type LoadedRules } from '@svc/engine';
import { join, relative, sep } from 'node:path';
import type { CheckRulesCommand } from '../arguments.ts';
import { FileError } from '../file-error.ts';
import { rulesReport, type LogSourceCount, type RulesReport, type Tree } from '../formats/rules-report.ts';
import { styleFor } from '../formats/style.ts';
import { loadOptions, readRules } from '../read-rules.ts';
import type { Terminal } from '../terminal.ts';

/** Loads rules and tells what became of them; resolves to the exit code. */
export async function checkRules(
  { paths, placeholders, format }: CheckRulesCommand,
  terminal: Terminal,
): Promise<number> {
  const files = await readRules(paths);
  if (files.length === 0) throw new FileError(`${paths.join(', ')}: no rule file (.yml, .yaml) is there`);
  const loaded = loadRules(files, await loadOptions(placeholders));
  const report: RulesReport = {
    files: files.length,
    loaded: loaded.loaded,
    rejected: loaded.rejected,
    retired: loaded.retired,
    warnings: loaded.warnings,
    trees: treesOf(loaded, paths),
    log_sources: logSourcesOf(loaded),
  };
  if (format === 'json') terminal.out(`${JSON.stringify(report, null, 2)}\n`);
  else terminal.out(rulesReport(report, { width: terminal.width, style: styleFor(terminal.colour) }));
  return loaded.rejected.length === 0 ? 0 : 1;
}

function treesOf({ rules, rejected, retired, warnings }: LoadedRules, paths: readonly string[]): Tree[] {
  const trees = new Map<string, Tree>();
  const count = (of: readonly { readonly path: string }[], what: 'loaded' | 'rejected' | 'retired' | 'warnings') => {
    for (const { path } of of) {
      const key = treeOf(path, paths);
      const tree = trees.get(key) ?? { path: key, loaded: 0, rejected: 0, retired: 0, warnings: 0 };
      trees.set(key, tree);
      tree[what]++;
    }
  };
  count([...rules.rules, ...rules.correlations], 'loaded');
  count(rejected, 'rejected');
  count(retired, 'retired');
  count(warnings, 'warnings');
  return [...trees.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The path named, with the folder next below it that leads to the file. */
function treeOf(path: string, paths: readonly string[]): string {
  for (const named of paths) {
    const inside = relative(named, path);
    if (inside === '') return path;
    const [first = '', ...rest] = inside.split(sep);
    if (first !== '..') return rest.length === 0 ? named : join(named, first);
  }
  return path;
}

function logSourcesOf({ rules, withoutInput }: LoadedRules): LogSourceCount[] {
  const counts = new Map<string, { -readonly [K in keyof LogSourceCount]: LogSourceCount[K] }>();
  for (const { logSource } of rules.rules) {
    const { product = null, category = null, service = null } = logSource;
    const key = [product, category, service].map((part) => part ?? '-').join('/');
    const known = counts.get(key);
    if (known === undefined) {
      counts.set(key, { product, category, service, rules: 1, has_input: withoutInput[key] === undefined });
    } else known.rules++;
  }
  const named = [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
  return named.sort((one, other) => other.rules - one.rules);
}
