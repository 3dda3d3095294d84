import { packRules } from '../sigma/artifact.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { SharedRules } from './part-job.ts';

const known = new WeakMap<RuleSet, SharedRules>();
let lastId = 0;

/** The rules in memory that threads share; packed once. */
export function sharedRules(rules: RuleSet): SharedRules {
  let shared = known.get(rules);
  if (shared === undefined) {
    shared = { id: ++lastId, bytes: asShared(packRules(rules)) };
    known.set(rules, shared);
  }
  return shared;
}

function asShared(packed: Uint8Array): Uint8Array {
  if (packed.buffer instanceof SharedArrayBuffer) return packed;
  const bytes = new Uint8Array(new SharedArrayBuffer(packed.length));
  bytes.set(packed);
  return bytes;
}
