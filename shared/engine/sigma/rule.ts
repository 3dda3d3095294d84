import type { Severity } from '../severity.ts';
import type { Expression } from './expression.ts';
import type { LogSource } from './log-source.ts';

/** A detection rule, validated and compiled; immutable. */
export interface Rule {
  readonly id: string | null;
  readonly name: string | null;
  readonly title: string;
  readonly level: Severity;
  readonly status: string;
  readonly tags: readonly string[];
  readonly author: string | null;
  readonly logSource: LogSource;
  readonly expression: Expression;
  readonly path: string;
  /** The rule's own document, as written. */
  readonly source: string;
}
