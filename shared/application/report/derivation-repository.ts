import type { Actor, Finding } from '@svc/domain';
import type { ReportOutput } from '../ports/detection-engine.ts';
import type { EntityType, LogCensus, LoggedKind, ProcessNode, ProcessTree, ThreatReport } from '@svc/engine';

/** What the matched events of a job name and when they were (resolved-platform 5). */
export interface JobAnalytics {
  /** Matched events that it was made from. */
  readonly events: number;
  /** Whether there were more than may be looked at; not told by what was stored before. */
  readonly eventsCapped?: boolean;
  /** Matches by hour (`2026-08-01T09`, UTC) and tactic. */
  readonly hours: readonly { readonly hour: string; readonly tactics: Readonly<Record<string, number>> }[];
  /** Most frequent first; `count` is events. */
  readonly entities: Readonly<Record<EntityType, readonly { readonly value: string; readonly count: number }[]>>;
  readonly entitiesTruncated: boolean;
  readonly threats: ThreatReport;
}

/** A process of a job. */
export interface JobProcess extends Omit<ProcessNode, 'rules' | 'children'> {
  /** Ids of the findings whose rules matched its events; not kept by earlier versions. */
  readonly findings?: readonly number[];
  readonly children: readonly JobProcess[];
}

/** The processes of a job (resolved-platform 7). */
export interface JobProcesses extends Pick<ProcessTree, 'stats'> {
  readonly roots: readonly JobProcess[];
}

/** The stored index of alerts (resolved-platform 8.4), version 1; `ts`, `k` and `n` are columns of one table. */
export interface AlertIndex {
  readonly v: 1;
  /** Step in seconds. */
  readonly res: number;
  /** Ascending UTC seconds. */
  readonly ts: readonly number[];
  /** Places in `keys`. */
  readonly k: readonly number[];
  /** Matches. */
  readonly n: readonly number[];
  readonly keys: readonly AlertKey[];
  readonly computers: readonly string[];
  readonly tools: readonly string[];
  readonly total: number;
  readonly undated: number;
  readonly source_truncated: boolean;
}

/** An index as it is read: its columns may be arrays of another kind, which take less room. */
export type AlertColumns = Omit<AlertIndex, 'ts' | 'k' | 'n'> & {
  readonly [C in 'ts' | 'k' | 'n']: ArrayLike<number>;
};

/** Rule id, rule name, severity, tactic, places of computer (-1 for none) and tool, finding. */
export type AlertKey = readonly [string | null, string, string, string, number, number, number];

/** What was derived again, with the findings that its alerts name by their places. */
export interface DerivedAnew {
  readonly derived: ReportOutput;
  readonly engine: string;
  readonly findings: readonly Pick<Finding, 'id' | 'ruleId' | 'ruleName' | 'severity' | 'tags'>[];
}

/** Of a log that was read again after its analysis it is not known which rules were for its records then. */
export type KeptCensus = Omit<LogCensus, 'rules'> & { readonly rules: LogCensus['rules'] | null };

/** What was derived from matched events, as reports read it; null where nothing was. */
export interface DerivationRepository {
  analytics(jobId: number): Promise<JobAnalytics | null>;
  /** What is in the log, matched or not; null where that was not counted. */
  census(jobId: number): Promise<KeptCensus | null>;
  /** The kinds of records, each once, in the newest jobs that a viewer may see and whose records were counted. */
  kindsSeenBy(
    viewer: Actor,
    mostJobs: number,
  ): Promise<{ readonly jobs: number; readonly kinds: readonly LoggedKind[] }>;
  /** Keeps what was counted in the log of a task that has none of it. */
  keepCensus(taskId: number, census: KeptCensus): Promise<void>;
  /** Null too for an index of another version. */
  alerts(jobId: number): Promise<AlertIndex | null>;
  processes(jobId: number): Promise<JobProcesses | null>;
  /** Puts what was derived anew in the place of what a task derived, but for the census; false when that is gone. */
  replace(task: { readonly id: number; readonly jobId: number }, stored: DerivedAnew): Promise<boolean>;
  /** Makes the words that searches find jobs by (`heldWordsOf`) for some tasks that have none yet; for how many. */
  makeWords(most: number): Promise<number>;
}
