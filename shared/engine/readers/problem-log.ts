import type { ReadProblem } from './reader.ts';

/** Counts the kinds of damage that a reader meets, keeping the place of the first of each. */
export class ProblemLog {
  readonly #problems = new Map<string, { code: string; message: string; offset: number; count: number }>();

  /** @param message says what it means for the reader of a report; the first one of a code stays. */
  add(code: string, message: string, offset: number): void {
    this.addAll({ code, message, offset, count: 1 });
  }

  /** Adds damage that was counted elsewhere. */
  addAll(problem: ReadProblem): void {
    const known = this.#problems.get(problem.code);
    if (known === undefined) this.#problems.set(problem.code, { ...problem });
    else known.count += problem.count;
  }

  list(): readonly ReadProblem[] {
    return [...this.#problems.values()];
  }
}
