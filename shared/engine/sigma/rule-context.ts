import type { Placeholders, UnknownPlaceholders } from './placeholders.ts';
import { RuleError } from './problem.ts';
import type { YamlPath } from './yaml-documents.ts';

/** Values that one rule may have; aliases and placeholders can multiply few lines into many. */
const mostValues = 200_000;
const mostWarnings = 20;
const anything: readonly string[] = ['*'];
const nothing: readonly string[] = [];

/** What the compilation of one document shares: its settings, its place, its warnings and its budget. */
export class RuleContext {
  /** Names of placeholders without values, as written, each with the place of its first use. */
  readonly lacking = new Map<string, YamlPath>();
  readonly #placeholders: Placeholders;
  readonly #unknown: UnknownPlaceholders;
  readonly #warn: (message: string, at: YamlPath) => void;
  #at: YamlPath = [];
  #warnings = 0;
  #values = 0;

  constructor(
    placeholders: Placeholders,
    warn: (message: string, at: YamlPath) => void,
    unknown: UnknownPlaceholders = 'any',
  ) {
    this.#placeholders = placeholders;
    this.#unknown = unknown;
    this.#warn = warn;
  }

  /** Where compilation stands, or stood when it failed. */
  get at(): YamlPath {
    return this.#at;
  }

  /** Compiles something further inside; the place stays there if it throws. */
  within<T>(key: string | number, compile: () => T): T {
    const outer = this.#at;
    this.#at = [...outer, key];
    const result = compile();
    this.#at = outer;
    return result;
  }

  warn(message: string): void {
    if (++this.#warnings <= mostWarnings) this.#warn(message, this.#at);
  }

  /** The values of a placeholder; one without any is noted as lacking. */
  valuesOf(name: string): readonly string[] {
    const values = this.#placeholders.get(name.toLowerCase());
    if (values !== undefined) return values;
    if (!this.lacking.has(name)) this.lacking.set(name, this.#at);
    return this.#unknown === 'any' ? anything : nothing;
  }

  /** Counts values; throws when the rule has too many. */
  spend(values: number): void {
    this.#values += values;
    if (this.#values > mostValues) throw new RuleError(`The rule has more than ${mostValues} values`, 'detection');
  }
}
