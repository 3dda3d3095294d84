import type { YamlPath } from './yaml-documents.ts';

/** Why a rule was not loaded, or what is odd about one that was. */
export interface RuleProblem {
  readonly path: string;
  /** 1-based line of the construct, or of the nearest one around it that can be told. */
  readonly line: number;
  readonly message: string;
}

const longestMessage = 500;
const longestQuote = 120;

/** A text in a message: quoted, and cut where it is long. */
export function quoted(text: string): string {
  return `“${text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text}”`;
}

/** Thrown while one rule compiles; becomes a {@link RuleProblem} of its document. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  /** Where in the document, if not at what is being compiled. */
  readonly at: YamlPath | undefined;

  constructor(message: string, ...at: YamlPath) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message);
    this.at = at.length > 0 ? at : undefined;
  }
}
