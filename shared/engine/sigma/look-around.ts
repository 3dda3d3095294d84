import { fold } from '../events/value-table.ts';
import { type CharacterSet, parseRegex, type RegexNode } from './regex-syntax.ts';

/** Steps that the search of one text may take. */
const mostSteps = 1_000_000;
/** Parts of a pattern, repeated ones counted as often as they are repeated. */
const mostParts = 5000;

type Instruction =
  | { readonly op: 'set'; readonly set: CharacterSet }
  | { readonly op: 'split'; readonly to: number; readonly or: number }
  | { readonly op: 'assert'; readonly what: Extract<RegexNode, { kind: 'assert' }>['what'] }
  | { readonly op: 'look'; readonly program: Program; readonly negated: boolean }
  | { readonly op: 'end' };

/** Instructions that read a text forwards, or backwards for what a look-behind holds. */
interface Program {
  readonly code: Instruction[];
  readonly backwards: boolean;
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
}

/**
 * Compiles a pattern with look-around, which RE2 has not, into a search that never goes back to what it
 * has tried: time is bounded by steps, null says that they were used up. Throws a plain Error on syntax
 * that it does not know.
 */
export function compileLookAround(source: string, flags: string): (text: string) => boolean | null {
  const program = compile(parseRegex(source, flags.includes('s')), false, { left: mostParts });
  const how = { ignoreCase: flags.includes('i'), multiline: flags.includes('m') };
  return (text) => {
    const search = new Search(text, how);
    const seen = new Set<number>();
    for (let at = 0; at <= text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
      if (search.run(program, at, seen)) return search.isSpent ? null : true;
      if (search.isSpent) return null;
    }
    return false;
  };
}

function compile(node: RegexNode, backwards: boolean, budget: { left: number }): Program {
  const code: Instruction[] = [];
  const add = (instruction: Instruction): number => code.push(instruction) - 1;
  const loop = (of: RegexNode): void => {
    const split = add({ op: 'end' });
    emit(of);
    add({ op: 'split', to: split, or: split });
    code[split] = { op: 'split', to: split + 1, or: code.length };
  };
  const optional = (of: RegexNode): void => {
    const split = add({ op: 'end' });
    emit(of);
    code[split] = { op: 'split', to: split + 1, or: code.length };
  };
  const choice = (of: readonly RegexNode[]): void => {
    const [first, ...rest] = of;
    if (rest.length === 0) return emit(first!);
    const split = add({ op: 'end' });
    emit(first!);
    const jump = add({ op: 'end' });
    code[split] = { op: 'split', to: split + 1, or: code.length };
    choice(rest);
    code[jump] = { op: 'split', to: code.length, or: code.length };
  };
  const emit = (part: RegexNode): void => {
    if (--budget.left < 0) throw new Error('is too large');
    switch (part.kind) {
      case 'set':
        add({ op: 'set', set: part.set });
        return;
      case 'assert':
        add({ op: 'assert', what: part.what });
        return;
      case 'look':
        add({ op: 'look', program: compile(part.of, part.behind, budget), negated: part.negated });
        return;
      case 'sequence':
        for (const one of backwards ? part.of.toReversed() : part.of) emit(one);
        return;
      case 'choice':
        choice(part.of);
        return;
      case 'repeat':
        for (let i = 0; i < part.least; i++) emit(part.of);
        if (part.most === Infinity) loop(part.of);
        else for (let i = part.least; i < part.most; i++) optional(part.of);
    }
  };
  emit(node);
  add({ op: 'end' });
  return { code, backwards };
}

/** The search of one text. */
class Search {
  readonly #text: string;
  readonly #flags: Flags;
  #steps = 0;

  constructor(text: string, flags: Flags) {
    this.#text = text;
    this.#flags = flags;
  }

  get isSpent(): boolean {
    return this.#steps > mostSteps;
  }

  /** Whether the program reaches its end from here; places in `seen` have been tried without success. */
  run({ code, backwards }: Program, from: number, seen: Set<number>): boolean {
    const stack: number[] = [0, from];
    while (stack.length > 0) {
      const at = stack.pop()!;
      const number = stack.pop()!;
      const place = at * code.length + number;
      if (seen.has(place)) continue;
      if (++this.#steps > mostSteps) return false;
      seen.add(place);
      const instruction = code[number]!;
      switch (instruction.op) {
        case 'end':
          return true;
        case 'split':
          stack.push(instruction.or, at, instruction.to, at);
          break;
        case 'assert':
          if (this.#asserts(instruction.what, at)) stack.push(number + 1, at);
          break;
        case 'look':
          if (this.run(instruction.program, at, new Set()) !== instruction.negated) stack.push(number + 1, at);
          break;
        case 'set': {
          const next = this.#step(instruction.set, at, backwards);
          if (next >= 0) stack.push(number + 1, next);
        }
      }
    }
    return false;
  }

  #step(set: CharacterSet, at: number, backwards: boolean): number {
    const text = this.#text;
    const pair = backwards ? (text.codePointAt(at - 2) ?? 0) > 0xffff && at >= 2 : (text.codePointAt(at) ?? 0) > 0xffff;
    const next = backwards ? at - (pair ? 2 : 1) : at + (pair ? 2 : 1);
    if (next < 0 || next > text.length) return -1;
    const point = text.codePointAt(backwards ? next : at)!;
    return contains(set, point, this.#flags.ignoreCase) ? next : -1;
  }

  #asserts(what: Extract<RegexNode, { kind: 'assert' }>['what'], at: number): boolean {
    const text = this.#text;
    const { multiline } = this.#flags;
    switch (what) {
      case 'lineStart':
        return at === 0 || (multiline && text[at - 1] === '\n');
      case 'lineEnd':
        return at === text.length || (multiline && text[at] === '\n');
      case 'textStart':
        return at === 0;
      case 'textEnd':
        return at === text.length;
      case 'word':
      case 'noWord':
        return (isWord(text[at - 1]) !== isWord(text[at])) === (what === 'word');
    }
  }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /^\w$/.test(char);
}

function contains({ ranges, negated }: CharacterSet, point: number, ignoreCase: boolean): boolean {
  const has = (one: number): boolean => ranges.some(([low, high]) => one >= low && one <= high);
  const found = ignoreCase ? casesOf(point).some(has) : has(point);
  return found !== negated;
}

function casesOf(point: number): number[] {
  const char = String.fromCodePoint(point);
  const upper = char.toUpperCase();
  return [point, fold(char).codePointAt(0)!, upper.length === char.length ? upper.codePointAt(0)! : point];
}
