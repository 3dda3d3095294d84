/** Who does AI runs where this process shall not, as they take minutes. */
export interface AiRunner {
  /** Has somebody else do the run; false where nobody is there for it. */
  handOver(runId: number): Promise<boolean>;
}
