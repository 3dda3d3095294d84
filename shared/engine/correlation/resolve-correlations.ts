import { parseCondition } from '../sigma/condition.ts';
import type { Expression } from '../sigma/expression.ts';
import { RuleError, type RuleProblem } from '../sigma/problem.ts';
import type { Rule } from '../sigma/rule.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { Correlation, CorrelationDocument, CorrelationInput } from './correlation.ts';

export interface ResolvedCorrelations {
  /** Inner ones before those that refer to them. */
  readonly correlations: readonly Correlation[];
  readonly rejected: readonly RuleProblem[];
  /** Those that give no findings of their own, because correlations use them up. */
  readonly silent: RuleSet['silent'];
}

/** A document and the lines of what it may be rejected for. */
export interface LoadedCorrelation {
  readonly document: CorrelationDocument;
  readonly lineOf: (...at: readonly string[]) => number;
}

/** What a reference can mean. */
interface Target extends Pick<CorrelationInput, 'kind' | 'place'> {
  readonly id: string | null;
  readonly name: string | null;
}

/**
 * Orders correlations by what they refer to. One whose reference is missing, or that is part of a
 * cycle, is rejected with everything that refers to it (detection-engine 1.6).
 */
export function resolveCorrelations(
  rules: readonly Rule[],
  loaded: readonly LoadedCorrelation[],
): ResolvedCorrelations {
  const resolver = new Resolver(rules, loaded);
  let waiting = [...loaded];
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter((one) => !resolver.resolve(one));
  }
  for (const one of waiting) resolver.reject(one, 'The correlation refers to itself, or to one that was rejected');
  return resolver.result();
}

class Resolver {
  readonly #correlations: Correlation[] = [];
  readonly #rejected: RuleProblem[] = [];
  /** By id and name in lower case: rules, and correlations once they are resolved. */
  readonly #targets = new Map<string, Target>();
  /** What any loaded correlation is called. */
  readonly #known = new Set<string>();
  readonly #used = { rule: new Map<number, boolean>(), correlation: new Map<number, boolean>() };

  constructor(rules: readonly Rule[], loaded: readonly LoadedCorrelation[]) {
    for (const [place, { id, name }] of rules.entries()) this.#add({ kind: 'rule', place, id, name });
    for (const { document } of loaded) for (const name of namesOf(document)) this.#known.add(name);
  }

  /** Whether the correlation is dealt with: resolved or rejected. */
  resolve(one: LoadedCorrelation): boolean {
    const { document, lineOf } = one;
    const missing = document.rules.filter((name) => !this.#targets.has(name) && !this.#known.has(name));
    if (missing.length > 0) {
      this.reject(one, `The correlation refers to ${missing.join(', ')}, which is not loaded`);
      return true;
    }
    const targets = document.rules.flatMap((name) => this.#targets.get(name) ?? []);
    if (targets.length < document.rules.length) return false;
    try {
      this.#accept(document, targets);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      this.#problem(document, lineOf('correlation', 'condition'), error.message);
    }
    return true;
  }

  reject({ document, lineOf }: LoadedCorrelation, message: string): void {
    this.#problem(document, lineOf('correlation', 'rules'), message);
  }

  result(): ResolvedCorrelations {
    return {
      correlations: this.#correlations,
      rejected: this.#rejected,
      silent: { rules: silentOf(this.#used.rule), correlations: silentOf(this.#used.correlation) },
    };
  }

  #accept(document: CorrelationDocument, targets: readonly Target[]): void {
    const { rules, aliases, expression, ...rest } = document;
    const inputs = targets.map((target, at): CorrelationInput => {
      const names = [rules[at]!, ...namesOf(target)];
      const fieldOf = (name: string): string => {
        const fields = aliases.get(name);
        return names.flatMap((one) => fields?.get(one) ?? [])[0] ?? name;
      };
      const { kind, place } = target;
      return { kind, place, groupBy: rest.groupBy.map(fieldOf), fields: rest.fields.map(fieldOf) };
    });
    const compiled = expression === null ? null : compileExpression(expression, rules, targets);
    const place = this.#correlations.push({ ...rest, inputs, expression: compiled }) - 1;
    for (const { kind, place: used } of inputs) {
      const uses = this.#used[kind];
      uses.set(used, (uses.get(used) ?? false) || rest.generate);
    }
    this.#add({ kind: 'correlation', place, id: rest.id, name: rest.name });
  }

  /** A name means the first that has it. */
  #add(target: Target): void {
    for (const name of namesOf(target)) if (!this.#targets.has(name)) this.#targets.set(name, target);
  }

  #problem({ path }: CorrelationDocument, line: number, message: string): void {
    this.#rejected.push({ path, line, message });
  }
}

/** Places that no correlation wants to hear of, in order. */
function silentOf(uses: ReadonlyMap<number, boolean>): number[] {
  return [...uses].flatMap(([place, isHeard]) => (isHeard ? [] : [place])).sort((a, b) => a - b);
}

function namesOf({ id, name }: { readonly id: string | null; readonly name: string | null }): string[] {
  return [id, name?.toLowerCase()].filter((one) => one !== null && one !== undefined);
}

/** The extended form of a temporal condition: references joined by and, or, not; each becomes its input's place. */
function compileExpression(text: string, rules: readonly string[], targets: readonly Target[]): Expression {
  const identifiers = new Map<string, Expression>();
  for (const [place, target] of targets.entries()) {
    const test: Expression = { kind: 'test', field: String(place), test: { kind: 'exists' } };
    for (const name of [rules[place]!, ...namesOf(target)]) identifiers.set(name, test);
  }
  return parseCondition(text.toLowerCase(), identifiers).expression;
}
