import { BinXmlParser, type OutsideName } from './binxml-parser.ts';
import { CHUNK_SIZE, type Chunk } from './chunk.ts';
import { type LayoutBudget, LayoutNode } from './layout-node.ts';
import type { Piece } from './nodes.ts';

const MOST_VARIANTS = 8192;
/** Bounds of what is kept: characters of all plans' signatures, and slots of all their layouts. */
const MOST_PLAN_CHARACTERS = 32 * 1024 * 1024;
const MOST_SLOTS = 256 * 1024;
/** Definitions do not overlap, so those of a sound chunk are smaller than it. */
const MOST_DEFINITION_BYTES = 2 * CHUNK_SIZE;
const HEADER = 24;

/** A compiled template definition. Definitions that mean the same share one, whatever their bytes. */
export interface Plan {
  readonly id: number;
  readonly content: readonly Piece[];
  /** Whether the records' layout follows from the plans alone: no element is named by a value. */
  readonly fixedNames: boolean;
  /** Whether the definition breaks off; what was readable of it still serves. */
  readonly damaged: boolean;
  /** Layouts of the records whose outermost template this is. */
  readonly layouts: LayoutNode;
}

/** Bytes that were compiled once, and what else in their chunk the result depends on. */
interface Variant {
  readonly check: number;
  readonly outsideNames: readonly OutsideName[];
  readonly plan: Plan;
}

/**
 * Plans of the template definitions met so far. A definition's bytes differ from chunk to chunk,
 * because names stand in them by offset: same bytes are recognised by hash, and other bytes that
 * come to the same pieces get the same plan, so that layouts are made once (detection-engine 4.3.1).
 */
export class Templates {
  readonly #plans = new Map<string, Plan>();
  readonly #variants = new Map<number, Variant[]>();
  #variantCount = 0;
  #nextId = 0;
  #planCharacters = 0;
  #layouts: LayoutBudget = { left: MOST_SLOTS };
  #chunk: Chunk | undefined;
  #definitionBytes = 0;
  /** By definition offset in the chunk: 0 not looked at, else one more than the index in `#used`. */
  readonly #known = new Int16Array(CHUNK_SIZE);
  readonly #offsets: number[] = [];
  readonly #used: (Plan | undefined)[] = [];

  /** To be called before the first record of each chunk. */
  startChunk(chunk: Chunk): void {
    for (const offset of this.#offsets) this.#known[offset] = 0;
    this.#offsets.length = 0;
    this.#used.length = 0;
    this.#chunk = chunk;
    this.#definitionBytes = 0;
    const full = this.#planCharacters > MOST_PLAN_CHARACTERS || this.#layouts.left < 0;
    if (full) {
      this.#plans.clear();
      this.#planCharacters = 0;
      this.#layouts = { left: MOST_SLOTS };
    }
    if (full || this.#variantCount > MOST_VARIANTS) {
      this.#variants.clear();
      this.#variantCount = 0;
    }
  }

  /** The plan of the definition at this offset of the chunk; undefined when there is none. */
  plan(offset: number): Plan | undefined {
    const known = this.#known[offset] ?? 0;
    return known > 0 ? this.#used[known - 1] : this.#find(offset);
  }

  #find(offset: number): Plan | undefined {
    const chunk = this.#chunk;
    if (chunk === undefined || offset + HEADER > chunk.size) return undefined;
    const size = chunk.view.getUint32(offset + 20, true);
    this.#definitionBytes += size;
    const isSound = size <= chunk.size - offset - HEADER && this.#definitionBytes <= MOST_DEFINITION_BYTES;
    const plan = isSound ? this.#compile(chunk, offset, size) : undefined;
    this.#offsets.push(offset);
    this.#known[offset] = this.#used.push(plan);
    return plan;
  }

  #compile(chunk: Chunk, offset: number, size: number): Plan | undefined {
    const end = offset + HEADER + size;
    // Names inside are marked by their own offset, so the same bytes elsewhere may mean another thing.
    const key = hash(chunk, offset + 4, end, offset) * CHUNK_SIZE + offset;
    const check = hash(chunk, offset + 4, end, ~offset);
    const variants = this.#variants.get(key) ?? [];
    const known = variants.find((each) => each.check === check && sameNames(each.outsideNames, chunk));
    if (known !== undefined) return known.plan;
    const parser = new BinXmlParser(chunk, offset + HEADER, end);
    const plan = this.#intern(parser.parse(), parser);
    if (plan === undefined) return undefined;
    variants.push({ check, outsideNames: parser.outsideNames, plan });
    this.#variants.set(key, variants);
    this.#variantCount++;
    return plan;
  }

  #intern(content: readonly Piece[], { damaged }: BinXmlParser): Plan | undefined {
    if (!content.some((piece) => piece.kind === 'element')) return undefined;
    const signature = `${damaged}${JSON.stringify(content)}`;
    const known = this.#plans.get(signature);
    if (known !== undefined) return known;
    const layouts = new LayoutNode(this.#layouts);
    const plan: Plan = { id: this.#nextId++, content, fixedNames: content.every(hasFixedNames), damaged, layouts };
    this.#plans.set(signature, plan);
    this.#planCharacters += signature.length;
    return plan;
  }
}

function sameNames(names: readonly OutsideName[], chunk: Chunk): boolean {
  return names.every(({ offset, name }) => chunk.name(offset) === name);
}

function hasFixedNames(piece: Piece): boolean {
  if (piece.kind !== 'element') return true;
  const name = piece.name === 'Data' && piece.attributes.find((attribute) => attribute.name === 'Name');
  if (name && name.content.some((part) => part.kind !== 'text')) return false;
  return piece.content.every(hasFixedNames);
}

function hash({ bytes, view }: Chunk, start: number, end: number, seed: number): number {
  let state = Math.imul(seed ^ (end - start), 0x2c1b3c6d);
  let at = start;
  for (; at + 4 <= end; at += 4) {
    state = Math.imul(state ^ view.getInt32(at, true), 0x297a2d39);
    state ^= state >>> 15;
  }
  for (; at < end; at++) state = Math.imul(state ^ bytes[at]!, 0x297a2d39);
  return (state ^ (state >>> 13)) >>> 0;
}
