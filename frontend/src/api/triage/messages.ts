import type { FindingRow, TriagePlan } from '@svc/contracts';
import type { JobErrorCode, LogType, Severity, SeveritySummary } from '@svc/domain';
import type { LogCensus } from '@svc/engine';

/** A log to be analysed in this browser. */
export interface TriageRequest {
  readonly file: File;
  readonly logType: LogType;
  readonly plan: TriagePlan;
}

/** A rule that has matched by now. */
export interface FoundRule {
  readonly name: string;
  readonly severity: Severity;
  /** Matched events. */
  readonly count: number;
}

/** How far an analysis is, and what it has found by then. */
export interface TriageProgress {
  /** Bytes of the file, over all engines. */
  readonly done: number;
  readonly total: number;
  readonly events: number;
  readonly rules: number;
  /** Matched events by severity. */
  readonly summary: SeveritySummary;
  /** The first of the rules, worst first. */
  readonly top: readonly FoundRule[];
}

/** Texts one behind the other, outside the memory of scripts; one of them is from the end before it to its own. */
export interface Texts {
  readonly blob: Blob;
  readonly ends: readonly number[];
}

/** What an analysis in this browser has found. What is large is kept as JSON in blobs until it is looked at. */
export interface LocalReport {
  readonly logType: LogType;
  /** Records read. */
  readonly events: number;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** Engines with findings of those that ran. */
  readonly scoreRatio: string;
  readonly totalFindings: number;
  readonly distinctRules: number;
  readonly severitySummary: SeveritySummary;
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
  readonly maxFindingDetails: number;
  /** Worst first; the id of each is its place, from 1. */
  readonly findings: readonly FindingRow[];
  /** By finding: its author, or null. */
  readonly authors: readonly (string | null)[];
  /** By finding: its matched events, a JSON list. */
  readonly samples: Texts;
  /** By task: its matched events as lines, whole or the first of them. */
  readonly matches: readonly { readonly blob: Blob; readonly complete: boolean }[];
  /** By finding: the place of its task. */
  readonly tasks: readonly number[];
  /** By finding: the source of its rule. */
  readonly rules: Texts;
  /** Null where nothing was derived. */
  readonly derived: {
    readonly analytics: Blob;
    readonly processTree: Blob;
    readonly alerts: Blob;
    readonly census: LogCensus | null;
  } | null;
}

/** What the worker says: any number of times how far it is, then one end. */
export type TriageMessage =
  | { readonly at: 'reading'; readonly progress: TriageProgress }
  | { readonly at: 'done'; readonly report: LocalReport }
  | { readonly at: 'failed'; readonly code: JobErrorCode; readonly message: string };
