import { type JsonScan, written } from './json-scan.ts';
import { type JsonTree, treeOf } from './json-tree.ts';

/** Bounds of what is kept: plans, their entries, and plans whose records differ in a few values only. */
const mostPlans = 8192;
const mostEntries = 256 * 1024;
const mostVariants = 256;

/** What a plan has been made by: a value, or only whether there is one. */
interface Told {
  readonly at: number;
  readonly filling: number;
  readonly bytes?: Uint8Array;
}

/** A plan, and the records it is for: their entries, and the values that it has been made by. */
interface KnownPlan<P> {
  readonly codes: Int32Array;
  readonly told: readonly Told[];
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
  #count = 0;
  #generation = 0;

  constructor(make: (tree: JsonTree) => P) {
    this.#make = make;
  }

  /** The plan for the record just scanned; the scan must be the same for all calls. */
  of(scan: JsonScan): P {
    const isFull = this.#count > mostPlans || this.#entries > mostEntries;
    if (isFull || scan.keys.generation !== this.#generation) {
      this.#generation = scan.keys.generation;
      this.#plans.clear();
      this.#entries = this.#count = 0;
    }
    const variants = this.#plans.get(scan.hash);
    const found = variants?.findIndex((known) => isFor(known, scan)) ?? -1;
    if (variants === undefined || found < 0) return this.#add(scan, variants);
    const known = variants[found]!;
    if (found > 0) {
      // The next record is most often of the same kind.
      variants[found] = variants[0]!;
      variants[0] = known;
    }
    return known.plan;
  }

  #add(scan: JsonScan, variants: KnownPlan<P>[] = []): P {
    const asked = { values: new Set<number>(), fillings: new Set<number>() };
    scan.asked = asked;
    const plan = this.#make(treeOf(scan));
    scan.asked = undefined;
    const told: Told[] = [...asked.fillings].map((at) => ({ at, filling: filling(scan, at) }));
    for (const at of asked.values) {
      told.push({ at, filling: filling(scan, at), bytes: scan.bytes.slice(scan.starts[at], scan.ends[at]) });
    }
    if (variants.length === mostVariants) return plan;
    variants.push({ codes: scan.codes.slice(0, scan.count), told, plan });
    this.#plans.set(scan.hash, variants);
    this.#entries += scan.count;
    this.#count++;
    return plan;
  }
}

function isFor({ codes, told }: KnownPlan<unknown>, scan: JsonScan): boolean {
  if (codes.length !== scan.count) return false;
  for (let i = 0; i < codes.length; i++) if (codes[i] !== scan.codes[i]) return false;
  return told.every((value) => isTold(value, scan));
}

function isTold({ at, filling: wanted, bytes }: Told, scan: JsonScan): boolean {
  if (filling(scan, at) !== wanted) return false;
  if (bytes === undefined) return true;
  const start = scan.starts[at]!;
  if (scan.ends[at]! - start !== bytes.length) return false;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== scan.bytes[start + i]) return false;
  return true;
}

/** Whether an entry has a value, the empty text or null. */
function filling(scan: JsonScan, at: number): number {
  return Math.max(scan.writing[at]!, written.empty - 1);
}
