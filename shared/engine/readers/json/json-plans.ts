import type { JsonScan } from './json-scan.ts';
import { type JsonTree, treeOf } from './json-tree.ts';

/** Bounds of what is kept: entries of all plans, and plans whose records differ in a few values only. */
const mostEntries = 256 * 1024;
const mostVariants = 64;

/** A plan, and the records it is for: their entries, and the values that it has been made by. */
interface KnownPlan<P> {
  readonly codes: Int32Array;
  readonly told: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  readonly plan: P;
}

/**
 * What a reader makes of records' keys and nesting, made once for all records that have the same
 * (detection-engine 4.3.1). Where a value is looked at in making it, the plan is for that value only.
 */
export class JsonPlans<P> {
  readonly #make: (tree: JsonTree) => P;
  readonly #plans = new Map<number, KnownPlan<P>[]>();
  #entries = 0;
  #generation = 0;

  constructor(make: (tree: JsonTree) => P) {
    this.#make = make;
  }

  /** The plan for the record just scanned; the scan must be the same for all calls. */
  of(scan: JsonScan): P {
    if (scan.keys.generation !== this.#generation || this.#entries > mostEntries) {
      this.#generation = scan.keys.generation;
      this.#plans.clear();
      this.#entries = 0;
    }
    const variants = this.#plans.get(scan.hash);
    if (variants !== undefined) for (const known of variants) if (isFor(known, scan)) return known.plan;
    return this.#add(scan, variants);
  }

  #add(scan: JsonScan, variants: KnownPlan<P>[] = []): P {
    scan.asked = [];
    const plan = this.#make(treeOf(scan));
    const told = scan.asked.map((at) => ({ at, bytes: scan.bytes.slice(scan.starts[at], scan.ends[at]) }));
    scan.asked = undefined;
    if (variants.length === mostVariants) return plan;
    variants.push({ codes: scan.codes.slice(0, scan.count), told, plan });
    this.#plans.set(scan.hash, variants);
    this.#entries += scan.count;
    return plan;
  }
}

function isFor({ codes, told }: KnownPlan<unknown>, scan: JsonScan): boolean {
  if (codes.length !== scan.count) return false;
  for (let i = 0; i < codes.length; i++) if (codes[i] !== scan.codes[i]) return false;
  for (const { at, bytes } of told) {
    const start = scan.starts[at]!;
    if (scan.ends[at]! - start !== bytes.length) return false;
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== scan.bytes[start + i]) return false;
  }
  return true;
}
