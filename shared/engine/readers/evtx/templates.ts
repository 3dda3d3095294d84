import { BinXmlParser, type TokenSource } from './binxml-parser.ts';
import { CHUNK_SIZE, type Chunk } from './chunk.ts';
import { KnownDefinitions } from './known-definitions.ts';
import { type LayoutBudget, LayoutNode } from './layout-node.ts';
import type { Piece } from './nodes.ts';
import { TokenScanner } from './token-scanner.ts';

/** Bounds of what is kept: lengths of all plans' sequences, and slots of all their layouts. */
const MOST_NUMBERS = 256 * 1024;
const MOST_SLOTS = 128 * 1024;
/** Definitions do not overlap, so those of a sound chunk are smaller than it. */
const MOST_DEFINITION_BYTES = 2 * CHUNK_SIZE;
const DEFINITION_HEADER = 24;

/** A compiled template, or what records without template have in common. */
export interface Plan {
  readonly id: number;
  readonly content: readonly Piece[];
  /** Whether records' layout follows from their plans alone: no element is named by a value. */
  readonly fixedNames: boolean;
  /** Whether the tokens break off; what was readable still serves. */
  readonly damaged: boolean;
  /** Layouts of the records whose outermost template this is. */
  readonly layouts: LayoutNode;
}

interface KnownPlan {
  readonly sequence: Int32Array;
  readonly isDefinition: boolean;
  readonly plan: Plan;
}

/**
 * Plans of the templates met so far. The bytes of a definition differ from chunk to chunk, because
 * names stand in them by offset; plans are found by the sequence of tokens instead, so that one
 * template has one plan and its layouts are made once (detection-engine 4.3.1).
 */
export class Templates {
  readonly scanner = new TokenScanner();
  readonly #definitions = new KnownDefinitions<Plan | undefined>(this.scanner);
  readonly #plans = new Map<number, KnownPlan[]>();
  #numbers = 0;
  #nextId = 0;
  #layouts: LayoutBudget = { left: MOST_SLOTS };
  #chunk!: Chunk;
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
    this.scanner.startChunk(chunk);
    if (this.#numbers < MOST_NUMBERS && this.#layouts.left > 0 && !this.scanner.isFull) return;
    this.scanner.forget();
    this.#plans.clear();
    this.#definitions.clear();
    this.#numbers = 0;
    this.#layouts = { left: MOST_SLOTS };
  }

  /** The plan of the definition at this offset of the chunk; undefined when there is none. */
  plan(offset: number): Plan | undefined {
    const known = this.#known[offset] ?? 0;
    return known > 0 ? this.#used[known - 1] : this.#definition(offset);
  }

  /** The plan of tokens without template, whose values the scanner then tells; undefined when they are not simple. */
  plain(start: number, end: number, openElements: number): Plan | undefined {
    const { scanner } = this;
    if (!scanner.scan(start, end, false, openElements)) return undefined;
    const plan = this.#find(start, end, { kind: 'plain', values: scanner.values, offsets: scanner.offsets });
    return plan.damaged ? undefined : plan;
  }

  #definition(offset: number): Plan | undefined {
    const { view, size: present } = this.#chunk;
    const start = offset + DEFINITION_HEADER;
    if (start > present) return undefined;
    const size = view.getUint32(offset + 20, true);
    this.#definitionBytes += size;
    const isSound = size <= present - start && this.#definitionBytes <= MOST_DEFINITION_BYTES;
    const plan = isSound ? this.#compile(offset, start, start + size) : undefined;
    this.#offsets.push(offset);
    this.#known[offset] = this.#used.push(plan);
    return plan;
  }

  #compile(offset: number, start: number, end: number): Plan | undefined {
    const known = this.#definitions.find(this.#chunk, offset);
    if (known !== undefined) return known.made;
    const source: TokenSource = { kind: 'definition' };
    const isSound = this.scanner.scan(start, end, true);
    const found = isSound ? this.#find(start, end, source) : this.#parse(start, end, source);
    const plan = found.content.some((piece) => piece.kind === 'element') ? found : undefined;
    if (isSound) this.#numbers += this.#definitions.add(this.#chunk, offset, plan);
    return plan;
  }

  /** The plan of what the scanner has just read. */
  #find(start: number, end: number, source: TokenSource): Plan {
    const isDefinition = source.kind === 'definition';
    const { sequence, length } = this.scanner;
    let hash = isDefinition ? 1 : 0;
    for (let i = 0; i < length; i++) hash = (Math.imul(hash, 0x01000193) ^ sequence[i]!) + (hash >>> 17);
    const plans = this.#plans.get(hash) ?? [];
    for (const known of plans) {
      if (known.isDefinition === isDefinition && isSame(known.sequence, sequence, length)) return known.plan;
    }
    const plan = this.#parse(start, end, source);
    plans.push({ sequence: sequence.slice(0, length), isDefinition, plan });
    this.#plans.set(hash, plans);
    this.#numbers += length;
    return plan;
  }

  #parse(start: number, end: number, source: TokenSource): Plan {
    const parser = new BinXmlParser(this.#chunk, start, end, source);
    const content = parser.parse();
    const layouts = new LayoutNode(this.#layouts);
    return { id: this.#nextId++, content, fixedNames: content.every(hasFixedNames), damaged: parser.damaged, layouts };
  }
}

function isSame(known: Int32Array, sequence: Int32Array, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) if (known[i] !== sequence[i]) return false;
  return true;
}

function hasFixedNames(piece: Piece): boolean {
  if (piece.kind !== 'element') return true;
  for (const { name, content } of piece.name === 'Data' ? piece.attributes : []) {
    if (name === 'Name' && content.some((part) => part.kind !== 'text')) return false;
  }
  for (const part of piece.content) if (!hasFixedNames(part)) return false;
  return true;
}
