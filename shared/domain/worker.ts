/** As the number of jobs that a host may have under way at a time: any number. */
export const unlimitedCap = 0;
/** The same: none, unless no other host works. */
export const pausedCap = -1;

/** Ends of analyses that a worker counts. */
export const countedEnds = ['completed', 'partial', 'failed', 'cancelled'] as const;
export type CountedEnd = (typeof countedEnds)[number];

/** Upper bounds in seconds by which the durations of analyses are counted; what took longer is in the sum of all alone. */
export const durationBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600] as const;

/** What a worker has done since it began. */
export interface WorkerCounts {
  readonly ended: Readonly<Record<CountedEnd, number>>;
  /** Analyses by the first bound that their duration is not above, each once. */
  readonly durations: readonly number[];
  /** Of all their durations. */
  readonly seconds: number;
}

export const noCounts: WorkerCounts = {
  ended: { completed: 0, partial: 0, failed: 0, cancelled: 0 },
  durations: durationBounds.map(() => 0),
  seconds: 0,
};

/** The counts with one more analysis. */
export function withAnalysis(counts: WorkerCounts, end: CountedEnd, seconds: number): WorkerCounts {
  const place = durationBounds.findIndex((bound) => seconds <= bound);
  return {
    ended: { ...counts.ended, [end]: counts.ended[end] + 1 },
    durations: counts.durations.map((count, index) => (index === place ? count + 1 : count)),
    seconds: counts.seconds + seconds,
  };
}

/** Something that takes one of a worker's places. */
export interface WorkerJob {
  /** Null for work that is no analysis of a job. */
  readonly jobId: number | null;
  /** Time of day in ISO 8601, by the worker's clock. */
  readonly since: string;
}

/** What a process that analyses jobs is (resolved-platform 16.4). */
export interface WorkerFacts {
  /** `host:pid`, unlike any other that lives. */
  readonly process: string;
  /** What the operator calls it. */
  readonly name: string | null;
  readonly hostname: string;
  readonly ipAddress: string | null;
  readonly pid: number;
  readonly os: string;
  readonly arch: string;
  readonly runtimeVersion: string;
  readonly version: string;
  readonly cpuCount: number;
  readonly memoryGb: number;
  /** Jobs that it analyses at the same time. */
  readonly threads: number;
  /** Threads that one analysis may use. */
  readonly engineThreads: number;
  /** Tasks of one job that run side by side, where the site wants them to. */
  readonly tasksAtOnce: number;
  readonly startedAt: string;
}

/** What it says of itself now. */
export interface WorkerState {
  readonly facts: WorkerFacts;
  readonly jobs: readonly WorkerJob[];
  readonly counts: WorkerCounts;
}

/** A worker that is alive, as the registry has it. */
export interface LiveWorker extends WorkerState {
  readonly lastSeen: Date;
}
