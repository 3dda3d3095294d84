/** How the last runs of an engine went. */
export interface EngineRunFigures {
  /** Those that came to their end, well or not. */
  readonly runs: number;
  readonly failures: number;
  /** Milliseconds for a megabyte of log, over the runs that went well; null where none did. */
  readonly msPerMb: number | null;
  readonly last: {
    readonly jobId: number;
    readonly at: Date;
    readonly status: 'completed' | 'failed';
    readonly error: string | null;
  } | null;
}

/** What the results of tasks tell of engines. */
export interface EngineRuns {
  /** Of the last `most` runs of each engine that has any. */
  figures(most: number): Promise<ReadonlyMap<string, EngineRunFigures>>;
}
