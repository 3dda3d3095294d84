import { indexOf, keepIndex, sourceKey } from '../matching/rule-index.ts';
import { PackedReader, PackedWriter, type Place } from './packed.ts';
import { readIndex, writeIndex, type WrittenSource } from './packed-index.ts';
import type { Expression } from './expression.ts';
import type { LogSource } from './log-source.ts';
import type { RuleSet } from './rule-set.ts';
import type { Rule } from './rule.ts';

/** What is told of a rule that matched; the rest of it is kept apart. */
type Head = Omit<Rule, 'logSource' | 'expression' | 'source'>;

interface WrittenRules extends Omit<RuleSet, 'rules'> {
  readonly sources: readonly WrittenSource[];
  /** By rule: place of its log source in the list; where head, expression and document begin, and where that ends. */
  readonly rules: Place;
}

const numbersPerRule = 5;
const bytesOf = new WeakMap<readonly Rule[], Uint8Array>();

/**
 * Writes compiled rules down, with what the matcher finds them by (detection-engine 4.3.8). Reading them
 * takes milliseconds, because a rule and the index of a log source are only decoded when they are needed.
 */
export function packRules({ rules, ...rest }: RuleSet): Uint8Array {
  const known = bytesOf.get(rules);
  if (known !== undefined) return known;
  const writer = new PackedWriter();
  const index = indexOf(rules);
  const sources = index.map((indexed) => writeIndex(writer, indexed));
  const sourceOf = new Map(index.map(({ source }, at) => [sourceKey(source), at]));
  const numbers = rules.flatMap((rule) => {
    const { id, name, title, level, status, tags, author, path, logSource, expression, source } = rule;
    const head: Head = { id, name, title, level, status, tags, author, path };
    const places = [writer.json(head), writer.json(expression), writer.text(source)];
    return [sourceOf.get(sourceKey(logSource))!, ...places.map(({ from }) => from), places[2]!.to];
  });
  const bytes = writer.finish({
    ...rest,
    sources,
    rules: writer.numbers(new Int32Array(numbers)),
  } satisfies WrittenRules);
  bytesOf.set(rules, bytes);
  return bytes;
}

/** Reads compiled rules, of bytes that must not change; throws a `RangeError` when they are none of this version. */
export function unpackRules(bytes: Uint8Array): RuleSet {
  const reader = new PackedReader(bytes);
  const { sources, rules: place, ...rest } = reader.root as WrittenRules;
  const numbers = reader.numbers(place);
  const rules: Rule[] = [];
  for (let at = 0; at < numbers.length; at += numbersPerRule) {
    rules.push(new StoredRule(reader, sources[numbers[at]!]!.source, numbers, at + 1));
  }
  keepIndex(
    rules,
    sources.map((source) => readIndex(reader, source)),
  );
  bytesOf.set(rules, bytes);
  return { ...rest, rules };
}

/** A rule that is decoded, part by part, when it is asked. */
class StoredRule implements Rule {
  readonly logSource: LogSource;
  readonly #reader: PackedReader;
  /** From a place on: where head, expression and document begin, and where that ends. */
  readonly #numbers: Int32Array;
  readonly #at: number;
  #decoded: Head | undefined;
  #expression: Expression | undefined;

  constructor(reader: PackedReader, logSource: LogSource, numbers: Int32Array, at: number) {
    this.logSource = logSource;
    this.#reader = reader;
    this.#numbers = numbers;
    this.#at = at;
  }

  get expression(): Expression {
    return (this.#expression ??= this.#reader.json(this.#part(1)) as Expression);
  }
  get source(): string {
    return this.#reader.text(this.#part(2));
  }
  get id(): string | null {
    return this.#head.id;
  }
  get name(): string | null {
    return this.#head.name;
  }
  get title(): string {
    return this.#head.title;
  }
  get level(): Rule['level'] {
    return this.#head.level;
  }
  get status(): string {
    return this.#head.status;
  }
  get tags(): readonly string[] {
    return this.#head.tags;
  }
  get author(): string | null {
    return this.#head.author;
  }
  get path(): string {
    return this.#head.path;
  }

  #part(part: number): Place {
    const at = this.#at + part;
    return { from: this.#numbers[at]!, to: this.#numbers[at + 1]! };
  }

  get #head(): Head {
    return (this.#decoded ??= this.#reader.json(this.#part(0)) as Head);
  }
}
