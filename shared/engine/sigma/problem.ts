/** Why a rule was not loaded, or what is odd about one that was. */
export interface RuleProblem {
  readonly path: string;
  /** 1-based line of the document, as near to the construct as can be told. */
  readonly line: number;
  readonly message: string;
}

/** Thrown while one rule compiles; becomes a {@link RuleProblem} at its document. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  /** Key of the rule that the reason is about, to find the line by. */
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}
