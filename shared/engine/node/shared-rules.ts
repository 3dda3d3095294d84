import { packRules } from '../sigma/artifact.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { SharedRules } from './part-job.ts';

const known = new WeakMap<RuleSet, SharedRules>();
let lastId = 0;

/** The rules in memory that threads share; packed once. */
export function sharedRules(rules: RuleSet): SharedRules {
  let shared = known.get(rules);
  if (shared === undefined) {
    const packed = packRules(rules);
    const bytes = new Uint8Array(new SharedArrayBuffer(packed.length));
    bytes.set(packed);
    shared = { id: ++lastId, bytes };
    known.set(rules, shared);
  }
  return shared;
}
