import { readRuleDocument } from '@svc/application/alerts/read-rule-document.ts';
import type { ShippedList, ShippedRule, ShippedRules } from '@svc/application/alerts/shipped-rules.ts';
import { validateAlertRule } from '@svc/application/alerts/validate-alert-rule.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads the rules and lists of a folder, in order of the names of its files, as documents that are imported; a bad file
 * leaves out no other.
 */
export async function readAlertRules(folder: string): Promise<ShippedRules> {
  const [lists, rules, problems] = [new Map<string, ShippedList>(), new Map<string, ShippedRule>(), [] as string[]];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort()) {
    try {
      const file = readFileContent(await readFile(join(folder, name), 'utf8'), lists);
      for (const list of file.lists) addOnce(lists, list.name, list);
      for (const rule of file.rules) addOnce(rules, rule.key, rule);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { lists: [...lists.values()], rules: [...rules.values()], problems };
}

function addOnce<T>(all: Map<string, T>, name: string, one: T): void {
  if (all.has(name)) throw new Error(`${name} is there twice`);
  all.set(name, one);
}

/** @param known - lists of the files before, which rules may ask for, too */
function readFileContent(
  text: string,
  known: ReadonlyMap<string, ShippedList>,
): { readonly lists: ShippedList[]; readonly rules: ShippedRule[] } {
  const { errors, warnings, ...document } = readRuleDocument(text);
  const [problem] = [...errors, ...warnings];
  if (problem !== undefined) throw new Error(problem);
  const lists = document.lists.map(({ list }) => list);
  const names = new Set([...known.keys(), ...lists.map(({ name }) => name)]);
  return { lists, rules: document.rules.map(({ rule }) => shippedRule(rule, names)) };
}

function shippedRule(
  { draft, enabled }: ReturnType<typeof readRuleDocument>['rules'][number]['rule'],
  lists: ReadonlySet<string>,
): ShippedRule {
  const shared = { ...draft, isShared: true, tellsOfWatchedJobs: false };
  const { definition, problems } = validateAlertRule(shared, { lists, checkUrl: () => undefined });
  const [problem] = problems;
  if (problem || draft.key === null)
    throw new Error(`${draft.key ?? draft.name}: ${problem?.message ?? 'needs a key'}`);
  return { key: draft.key, enabled, definition };
}
