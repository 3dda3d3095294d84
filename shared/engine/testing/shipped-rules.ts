import { fileURLToPath } from 'node:url';
import { loadRulesFrom } from '../node/rule-cache.ts';
import type { LoadedRules } from '../sigma/load-rules.ts';

const folder = fileURLToPath(new URL('../../../config/sigma', import.meta.url));

/** The rules that ship, compiled once in a run of tests (test/support/run-folder.ts). */
export function shippedRules(): Promise<LoadedRules> {
  const kept = process.env['SVC_RULE_CACHE'];
  return loadRulesFrom([folder], {}, kept === undefined ? undefined : { folder: kept, engine: 'sources' });
}
