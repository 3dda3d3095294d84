import { type CharacterSet, likeLetters, type RegexNode } from './regex-syntax.ts';

/** What a backtracking search has cost up to some part of a pattern, over all places of a text where it began. */
interface Flow {
  /** Steps so far, at most. */
  readonly steps: number;
  /** How often what follows is tried, at most. */
  readonly ways: number;
  /** How often at most from the same place of the text. */
  readonly same: number;
}

/** What one part of a pattern makes of a flow, in a text of so many characters. */
type Stage = (flow: Flow, length: number) => Flow;

/** Characters of ASCII, a bit for each. */
type Mask = bigint;

const capitals = maskBetween(0x41, 0x5a);
const smalls = maskBetween(0x61, 0x7a);
const ascii = maskBetween(0, 0x7f);
const lineFeed = maskBetween(0x0a, 0x0a);
const wordSteps = 6;
/** So often a part may be repeated and is looked at as that many parts, of which more can be said. */
const mostCopies = 8;

/** What may stand at the beginning of what follows; `mayBeMissing` when there need not be anything. */
interface First {
  readonly mask: Mask;
  readonly mayBeMissing: boolean;
}

/**
 * Bounds the steps of a backtracking search for a pattern in a text of ASCII: a function of the text's length, infinite
 * where there is no telling.
 *
 * What keeps it low, beside repetitions that are bounded: behind a repetition of characters that what follows cannot
 * begin with there is one way to go on, at its end; and a word stands in a text only so often, as it does not overlap
 * itself at every distance.
 */
export function searchEffort(node: RegexNode, flags: string): (length: number) => number {
  const stage = new Planner(flags.includes('i'), flags.includes('m')).stage(node, 0n, null).stage;
  return (length) => stage({ steps: length + 1, ways: length + 1, same: 1 }, length).steps;
}

/** A stage, and what the last character that it takes must be; null where it need not take one. */
interface Planned {
  readonly stage: Stage;
  readonly last: Mask | null;
}

class Planner {
  readonly #ignoresCase: boolean;
  readonly #isMultiline: boolean;

  constructor(ignoresCase: boolean, isMultiline: boolean) {
    this.#ignoresCase = ignoresCase;
    this.#isMultiline = isMultiline;
  }

  /**
   * @param follow what may stand behind the part, if the pattern is not at its end there: then the search is.
   * @param behind what the character before the part is; null where that is not known.
   */
  stage(node: RegexNode, follow: Mask, behind: Mask | null): Planned {
    switch (node.kind) {
      case 'set':
      case 'assert':
      case 'sequence':
        return this.#sequence(flattened(node), follow, behind);
      case 'choice':
        return { stage: this.#choice(node.of, follow, behind), last: null };
      case 'repeat':
        if (node.of.kind === 'set') return this.#run(this.#maskOf(node.of.set), node, follow, behind);
        if (node.least === node.most && node.most <= mostCopies) {
          return this.#sequence(Array.from({ length: node.most }, () => flattened(node.of)).flat(), follow, behind);
        }
        return { stage: this.#repeated(node, follow), last: null };
      case 'look':
        return { stage: endless, last: null };
    }
  }

  #sequence(parts: readonly RegexNode[], follow: Mask, behind: Mask | null): Planned {
    const stages: Stage[] = [];
    let last = behind;
    for (let at = 0; at < parts.length;) {
      const part = parts[at]!;
      if (part.kind === 'assert') {
        stages.push(this.#assertion(part.what));
        at++;
      } else if (part.kind === 'set') {
        const word: Mask[] = [];
        for (let one = parts[at]; one?.kind === 'set'; one = parts[++at]) word.push(this.#maskOf(one.set));
        stages.push(wordStage(word));
        last = word.at(-1)!;
      } else {
        const next = this.#firstOf(parts.slice(at + 1));
        const own = next.mayBeMissing ? next.mask | follow : next.mask;
        const planned = this.stage(part, own, last);
        stages.push(planned.stage);
        last = planned.last;
        at++;
      }
    }
    return { stage: (flow, length) => stages.reduce((one, stage) => stage(one, length), flow), last };
  }

  /** A choice costs what each part of it does; of parts that begin differently a text has one at a place. */
  #choice(parts: readonly RegexNode[], follow: Mask, behind: Mask | null): Stage {
    const stages = parts.map((part) => this.stage(part, follow, behind).stage);
    const heads = parts.map((part) => this.#headOf(part));
    const together = heads.map((head) =>
      [...heads.keys()].filter((other) => heads[other] === head || areAlike(head, heads[other]!)),
    );
    return (flow, length) => {
      const alone = stages.map((stage) => stage(single, length));
      const ways = Math.max(...together.map((group) => sum(group, (one) => alone[one]!.ways)));
      const steps = Math.max(...together.map((group) => sum(group, (one) => alone[one]!.steps)));
      const compared = sum(heads, (head) => head.length + 1);
      const flows = stages.map((stage) => stage({ ...flow, steps: 0 }, length));
      const all = Math.min(
        sum(flows, (one) => one.ways),
        flow.ways * ways,
      );
      return {
        steps:
          flow.steps +
          flow.ways +
          Math.min(
            sum(flows, (one) => one.steps),
            flow.ways * (compared + steps),
          ),
        ways: all,
        same: Math.min(
          all,
          sum(flows, (one) => one.same),
        ),
      };
    };
  }

  /** One set of characters again and again. */
  #run(
    mask: Mask,
    { least, most }: Extract<RegexNode, { kind: 'repeat' }>,
    follow: Mask,
    behind: Mask | null,
  ): Planned {
    const endsOnce = (mask & follow) === 0n;
    // No run begins within another one, as a character stands before it that neither has.
    const areApart = behind !== null && (mask & behind) === 0n;
    const stage: Stage = ({ steps, ways, same }, length) => {
      const times = Math.min(most, length);
      const ends = Math.max(1, times - least + 1);
      if (!areApart) {
        return { steps: steps + ways * (1 + times + ends), ways: endsOnce ? ways : ways * ends, same: ways };
      }
      const places = ways / same;
      const taken = Math.min(places * times, length);
      const all = endsOnce ? ways : Math.min(ways * ends, same * (places + taken));
      return { steps: steps + same * (2 * places + 2 * taken), ways: all, same };
    };
    return { stage, last: least > 0 ? mask : behind === null ? null : behind | mask };
  }

  #repeated({ of, least, most }: Extract<RegexNode, { kind: 'repeat' }>, follow: Mask): Stage {
    const { mask, mayBeMissing } = this.#firstOf([of]);
    const once = this.stage(of, follow | mask, null).stage;
    const endsOnce = !mayBeMissing && (mask & follow) === 0n;
    return ({ steps, ways, same }, length) => {
      const one = once(single, length);
      const times = mayBeMissing ? most : Math.min(most, length);
      if (one.ways <= 1 && times < Number.POSITIVE_INFINITY) {
        const ends = ways * Math.max(1, times - least + 1);
        return {
          steps: steps + ways * (1 + times * (one.steps + 1)),
          ways: endsOnce ? ways : ends,
          same: mayBeMissing ? ends : ways,
        };
      }
      if (most === Number.POSITIVE_INFINITY) return endless({ steps, ways, same });
      let [taken, ends] = [1, 0];
      for (let time = 0, power = 1; time <= most; time++, power *= one.ways) {
        if (time >= least) ends += power;
        if (time < most) taken += power * (one.steps + 1);
      }
      if (endsOnce && most === 1) ends = one.ways;
      return { steps: steps + ways * taken, ways: ways * ends, same: ways * ends };
    };
  }

  #assertion(what: Extract<RegexNode, { kind: 'assert' }>['what']): Stage {
    const isWord = what === 'word' || what === 'noWord';
    const holdsOnce = !isWord && (!this.#isMultiline || what === 'textStart' || what === 'textEnd');
    return ({ steps, ways, same }) => {
      return { steps: steps + ways * (isWord ? wordSteps : 1), ways: holdsOnce ? Math.min(ways, same) : ways, same };
    };
  }

  /** What characters a part may begin with, in a text of ASCII. */
  #firstOf(parts: readonly RegexNode[]): First {
    let mask = 0n;
    for (const part of parts) {
      const first = this.#first(part);
      mask |= first.mask;
      if (!first.mayBeMissing) return { mask, mayBeMissing: false };
    }
    return { mask, mayBeMissing: true };
  }

  #first(node: RegexNode): First {
    switch (node.kind) {
      case 'set':
        return { mask: this.#maskOf(node.set), mayBeMissing: false };
      case 'assert': {
        const isEnd = node.what === 'textEnd' || node.what === 'lineEnd';
        const mask = node.what === 'lineEnd' && this.#isMultiline ? lineFeed : 0n;
        return { mask, mayBeMissing: !isEnd };
      }
      case 'look':
        return { mask: ascii, mayBeMissing: true };
      case 'sequence':
        return this.#firstOf(node.of);
      case 'choice': {
        const firsts = node.of.map((part) => this.#first(part));
        return {
          mask: firsts.reduce((all, { mask }) => all | mask, 0n),
          mayBeMissing: firsts.some((first) => first.mayBeMissing),
        };
      }
      case 'repeat': {
        const { mask, mayBeMissing } = this.#first(node.of);
        return { mask, mayBeMissing: mayBeMissing || node.least === 0 };
      }
    }
  }

  /** The characters that a part begins with, as far as there are as many in each text that it matches. */
  #headOf(node: RegexNode): readonly Mask[] {
    const head: Mask[] = [];
    for (const part of flattened(node)) {
      if (part.kind === 'assert') continue;
      if (part.kind === 'repeat' && part.of.kind === 'set' && part.least > 0) head.push(this.#maskOf(part.of.set));
      if (part.kind !== 'set') break;
      head.push(this.#maskOf(part.set));
    }
    return head;
  }

  #maskOf({ ranges, negated }: CharacterSet): Mask {
    let mask = 0n;
    for (const [low, high] of ranges) {
      if (low <= 0x7f) mask |= maskBetween(low, Math.min(high, 0x7f));
      if (!this.#ignoresCase) continue;
      for (const [like, letter] of likeLetters) if (low <= like && like <= high) mask |= maskBetween(letter, letter);
    }
    if (this.#ignoresCase) mask |= ((mask & capitals) << 32n) | ((mask & smalls) >> 32n);
    return negated ? ascii & ~mask : mask;
  }
}

const single: Flow = { steps: 0, ways: 1, same: 1 };

function endless(flow: Flow): Flow {
  return { ...flow, steps: Number.POSITIVE_INFINITY };
}

/** Characters one behind the other: they stand in a text at so many places as they can without overlapping wrongly. */
function wordStage(word: readonly Mask[]): Stage {
  let distance = 1;
  while (distance < word.length && !areAlike(word, word.slice(distance))) distance++;
  return ({ steps, ways, same }, length) => {
    const all = Math.min(ways, same * (Math.floor(length / distance) + 1));
    return { steps: steps + ways * word.length, ways: all, same: Math.min(same, all) };
  };
}

/** Whether a text may begin with both. */
function areAlike(one: readonly Mask[], other: readonly Mask[]): boolean {
  for (let at = 0; at < one.length && at < other.length; at++) if ((one[at]! & other[at]!) === 0n) return false;
  return true;
}

function flattened(node: RegexNode): readonly RegexNode[] {
  return node.kind === 'sequence' ? node.of.flatMap(flattened) : [node];
}

function sum<T>(items: Iterable<T>, of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

function maskBetween(low: number, high: number): Mask {
  return ((1n << BigInt(high - low + 1)) - 1n) << BigInt(low);
}
