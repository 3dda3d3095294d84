import type { ShippedList, ShippedRule, ShippedRules } from '@svc/application/alerts/shipped-rules.ts';
import { AlertRulesFile } from '@svc/config';
import { entityTypes, parseEntitySearch, parseSearch, type EntityType } from '@svc/domain';
import { load } from 'js-yaml';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads the rules and lists of a folder, in order of the names of its files; a bad file leaves out no other. */
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

function readFileContent(
  text: string,
  known: ReadonlyMap<string, ShippedList>,
): { readonly lists: ShippedList[]; readonly rules: ShippedRule[] } {
  const file = AlertRulesFile.parse(load(text));
  const lists = file.lists.map((list) => ({ ...list, values: [...new Set(list.values)] }));
  const names = new Set([...known.keys(), ...lists.map(({ name }) => name)]);
  return { lists, rules: file.rules.map((rule) => shippedRule(rule, names)) };
}

function shippedRule(
  { key, criteria, tags, notify, enabled, entity_types: types, ...rule }: AlertRulesFile['rules'][number],
  lists: ReadonlySet<string>,
): ShippedRule {
  const [problem] = rule.scope === 'job' ? parseSearch(criteria).problems : entityProblems(criteria, lists);
  if (problem) throw new Error(`${key}: ${problem.term}: ${problem.reason}`);
  const webhook = { url: null, method: 'POST', headers: {}, enabled: false } as const;
  const entityTypesOf = types.map((name) => knownType(key, name));
  return {
    key,
    enabled,
    definition: {
      ...rule,
      query: criteria,
      entityTypes: entityTypesOf,
      actionTags: tags,
      notifies: notify,
      webhook,
      tellsOfWatchedJobs: false,
    },
  };
}

function entityProblems(
  criteria: string,
  lists: ReadonlySet<string>,
): readonly { readonly term: string; readonly reason: string }[] {
  const { terms, problems } = parseEntitySearch(criteria);
  const unusable = terms.flatMap(({ text, condition }) => {
    if (condition?.key === 'list' && !lists.has(condition.name))
      return [{ term: text, reason: 'there is no such list' }];
    return condition?.key === 'job' ? [{ term: text, reason: 'a rule cannot name jobs' }] : [];
  });
  return [...problems, ...unusable];
}

function knownType(key: string, name: string): EntityType {
  const type = entityTypes.find((known) => known === name);
  if (!type) throw new Error(`${key}: there is no type of entity ${name}`);
  return type;
}
