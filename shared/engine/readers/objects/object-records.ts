import type { JsonLeaf } from '../json/json-leaf.ts';
import { JsonPlans } from '../json/json-plans.ts';
import { JsonScan } from '../json/json-scan.ts';
import type { JsonTree } from '../json/json-tree.ts';
import { ObjectPlan } from './object-plan.ts';
import { wrapperKeys } from './wrappers.ts';

const BRACE_OPEN = 0x7b;
const SPACE = 0x20;

/** Scans the objects of a log, and those that they hold as text in place of themselves. */
export class ObjectRecords {
  readonly scan = new JsonScan((key) => wrapperKeys.has(key));
  readonly #plans = new JsonPlans((tree) => new ObjectPlan(tree, this.scan));
  readonly #inner = new JsonScan();
  readonly #innerPlans = new JsonPlans((tree: JsonTree) => new ObjectPlan(tree, this.#inner));
  readonly #encoder = new TextEncoder();

  /** Plan of the record just scanned, or of that in its text. */
  plan(): ObjectPlan {
    const plan = this.#plans.of(this.scan);
    for (const holder of plan.holders) if (this.#opens(holder)) return this.#innerPlans.of(this.#inner);
    return plan.isRow ? plan.filled() : plan;
  }

  #opens(holder: JsonLeaf): boolean {
    if (!holder.isString) return false;
    const bytes = this.#encoder.encode(holder.text());
    const start = bytes.findIndex((byte) => byte > SPACE);
    return (
      start >= 0 && bytes[start] === BRACE_OPEN && this.#inner.scan(bytes, start) && isBlank(bytes, this.#inner.end)
    );
  }
}

function isBlank(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at]! > SPACE) return false;
  return true;
}
