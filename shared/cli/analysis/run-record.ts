import type { FileError } from '../file-error.ts';
import type { AnalyzedLog, Run, RunContext } from '../report.ts';
import { Totals } from './totals.ts';

/** What becomes of the inputs of a run, from now on. */
export class RunRecord {
  readonly skipped: string[] = [];
  readonly failed: FileError[] = [];
  readonly #context: RunContext;
  readonly #totals = new Totals();
  readonly #started = performance.now();
  #analyzed = 0;
  #bytes = 0;

  constructor(context: RunContext) {
    this.#context = context;
  }

  add({ file, analysis, bytes }: AnalyzedLog): void {
    this.#totals.add(file, analysis);
    this.#analyzed++;
    this.#bytes += bytes;
  }

  end(isInterrupted: boolean): Run {
    return {
      ...this.#context,
      totals: this.#totals,
      analyzed: this.#analyzed,
      skipped: this.skipped,
      failed: this.failed,
      bytes: this.#bytes,
      durationMs: Math.round(performance.now() - this.#started),
      isInterrupted,
    };
  }
}
