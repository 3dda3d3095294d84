import { loadRules, type LoadedRules } from '../../shared/engine/index.ts';
import { readRuleFiles } from '../../shared/engine/node.ts';
import { sharedData } from './shared-data.ts';

const trees = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'];

/** The SigmaHQ trees of the shared data, all products, loaded as a user's `--rules` are. */
export async function loadTrees(): Promise<LoadedRules> {
  return loadRules(await readRuleFiles(trees.map((tree) => sharedData('sigma-rules', tree))));
}
