import { allOf, anyOf, not, type Expression } from './expression.ts';
import { compilePattern, parsePattern } from './pattern.ts';
import { quoted, RuleError } from './problem.ts';

/** The compiled identifiers of a detection, by name. */
export type Identifiers = ReadonlyMap<string, Expression>;

interface Parsed {
  readonly expression: Expression;
  /** Identifiers that the condition uses, patterns resolved. */
  readonly used: ReadonlySet<string>;
}

const deepest = 64;

/** Parses a condition (detection-engine 1.5): `or`, `and`, `not`, `<n> of <pattern>`, `( )`, identifier. */
export function parseCondition(text: string, identifiers: Identifiers): Parsed {
  const parser = new Parser(text, identifiers);
  return { expression: parser.whole(), used: parser.used };
}

class Parser {
  readonly used = new Set<string>();
  readonly #tokens: string[];
  readonly #text: string;
  readonly #identifiers: Identifiers;
  #at = 0;
  #depth = 0;

  constructor(text: string, identifiers: Identifiers) {
    this.#text = text;
    this.#identifiers = identifiers;
    this.#tokens = tokens(text);
  }

  whole(): Expression {
    if (this.#tokens.length === 0) throw this.#error('is empty');
    const expression = this.#or();
    const rest = this.#tokens[this.#at];
    if (rest === ')') throw this.#error('has a closing parenthesis too many');
    if (rest !== undefined) throw this.#error(`has ${quoted(rest)} where and, or or its end is expected`);
    return expression;
  }

  #or(): Expression {
    const parts = [this.#and()];
    while (this.#take('or')) parts.push(this.#and());
    return anyOf(parts);
  }

  #and(): Expression {
    const parts = [this.#not()];
    while (this.#take('and')) parts.push(this.#not());
    return allOf(parts);
  }

  #not(): Expression {
    if (++this.#depth > deepest) throw this.#error(`is nested deeper than ${deepest}`);
    const expression = this.#take('not') ? not(this.#not()) : this.#primary();
    this.#depth--;
    return expression;
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw this.#error('ends where an identifier is expected');
    if (token === '(') {
      const inner = this.#or();
      if (!this.#take(')')) throw this.#error('has a parenthesis that is not closed');
      return inner;
    }
    if (token === ')' || /^(?:and|or|of)$/i.test(token))
      throw this.#error(`has ${quoted(token)} where an identifier is expected`);
    if (/^(?:\d+|any|all)$/i.test(token) && this.#take('of')) return this.#of(token.toLowerCase());
    const known = this.#identifiers.get(token);
    if (known === undefined) {
      throw this.#error(
        token.includes('*')
          ? `has ${quoted(token)} without a quantifier`
          : `names ${quoted(token)}, which the detection has not`,
      );
    }
    this.used.add(token);
    return known;
  }

  #of(quantifier: string): Expression {
    const pattern = this.#tokens[this.#at++];
    if (pattern === undefined || /^[()]$/.test(pattern)) throw this.#error(`has nothing after “${quantifier} of”`);
    const names = this.#matching(pattern);
    if (names.length === 0)
      throw this.#error(`asks for ${quoted(`${quantifier} of ${pattern}`)}, which matches no identifier`);
    for (const name of names) this.used.add(name);
    const parts = names.map((name) => this.#identifiers.get(name)!);
    if (quantifier === 'all') return allOf(parts);
    const wanted = quantifier === 'any' ? 1 : Number(quantifier);
    if (wanted < 1) throw this.#error(`asks for ${quantifier} of ${quoted(pattern)}`);
    if (wanted > parts.length) throw this.#error(`asks for ${wanted} of ${quoted(pattern)}, which are ${parts.length}`);
    return atLeast(wanted, parts, () => this.#error(`has too many ways to choose ${wanted} of ${parts.length}`));
  }

  #matching(pattern: string): string[] {
    const names = [...this.#identifiers.keys()];
    const hidden = (name: string): boolean => name.startsWith('_') && !pattern.startsWith('_');
    if (pattern.toLowerCase() === 'them') return names.filter((name) => !name.startsWith('_'));
    const matches = compilePattern(parsePattern(pattern));
    return names.filter((name) => matches(name) && !hidden(name));
  }

  #take(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at++;
    return true;
  }

  #error(reason: string): RuleError {
    return new RuleError(`The condition ${quoted(this.#text)} ${reason}`);
  }
}

const mostCombinations = 1000;

/** At least `wanted` of the parts, as an `any` over all choices of that many. */
function atLeast(wanted: number, parts: readonly Expression[], tooMany: () => RuleError): Expression {
  if (wanted === 1) return anyOf(parts);
  let choices: Expression[][] = [[]];
  for (const [at, part] of parts.entries()) {
    const left = parts.length - at - 1;
    choices = choices.flatMap((choice) =>
      [choice, [...choice, part]].filter((next) => next.length <= wanted && next.length + left >= wanted),
    );
    if (choices.length > mostCombinations) throw tooMany();
  }
  return anyOf(choices.map(allOf));
}

function tokens(text: string): string[] {
  const found: string[] = [];
  const token = /\s*(?:([()])|([\p{L}\p{N}_*-]+)|(\|)|(\S))/guy;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[3] !== undefined) {
      throw new RuleError(
        `The condition ${quoted(text)} has a pipe aggregation, which correlation rules have replaced`,
      );
    }
    if (match[4] !== undefined) throw new RuleError(`The condition ${quoted(text)} has an unexpected “${match[4]}”`);
    found.push(match[1] ?? match[2]!);
  }
  return found;
}
