import type { MatchedEvent } from '@svc/contracts';
import type { LogType, Severity } from '@svc/domain';
import type { Analysis, Finding, LoadedRules, Period, ReadProblem, RuleProblem, Sample } from '@svc/engine';
import type { FileError } from './file-error.ts';
import type { Totals } from './analysis/totals.ts';

/** One log that was analysed. */
export interface AnalyzedLog {
  /** As named on the command line, or found below what was named. */
  readonly file: string;
  readonly bytes: number;
  /** Null where the report has no place for it. */
  readonly sha256: string | null;
  readonly analysis: Analysis;
  readonly durationMs: number;
  /** What is told of it in sentences, where the report has a place for that. */
  readonly told?: Told;
}

/** What the findings of a log come to, and what is in it where nothing worse than low was found. */
export interface Told {
  readonly happened: readonly string[];
  readonly contents: readonly string[];
}

/** What all logs of a run have in common. */
export interface RunContext {
  readonly rules: LoadedRules;
  /** Milliseconds that the rules took to load. */
  readonly rulesMs: number;
  readonly period: Period | undefined;
  readonly stats: boolean;
}

/** What became of all inputs of a run. */
export interface Run extends RunContext {
  readonly totals: Totals;
  readonly analyzed: number;
  /** Names of files that were found and are no known log. */
  readonly skipped: readonly string[];
  readonly failed: readonly FileError[];
  /** Bytes of the logs analysed. */
  readonly bytes: number;
  readonly durationMs: number;
  readonly isInterrupted: boolean;
}

/** What is printed of one file as JSON. Other programs rely on it: add to it, never change it. */
export interface Report {
  readonly file: string;
  readonly sha256: string | null;
  readonly log_type: LogType;
  /** Records read. */
  readonly events: number;
  /** With `--since` or `--until`: what was looked at, and the records passed over for it. */
  readonly period?: {
    readonly since: string | null;
    readonly until: string | null;
    readonly outside: number;
    readonly untimed: number;
  };
  readonly rules: { readonly loaded: number; readonly rejected: readonly RuleProblem[] };
  /** Worst first. */
  readonly findings: readonly ReportedFinding[];
  readonly warnings: readonly string[];
  readonly duration_ms: number;
  /** With `--stats`. */
  readonly statistics?: ReportedStatistics;
}

export interface ReportedFinding {
  readonly rule_id: string | null;
  readonly rule_name: string;
  /** Rules of others are named with their author, as their licences ask. */
  readonly rule_author: string | null;
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** Matched events, however many of them are given. */
  readonly count: number;
  readonly first_seen: string | null;
  readonly last_seen: string | null;
  /** Computers of the matched events, at most 1,000. */
  readonly computers: readonly string[];
  readonly events: readonly MatchedEvent[];
}

export interface ReportedStatistics {
  readonly bytes: number;
  readonly first: string | null;
  readonly last: string | null;
  /** Most frequent first. */
  readonly kinds: readonly {
    readonly channel: string | null;
    readonly event_id: string | null;
    readonly count: number;
  }[];
  readonly rules_ms: number;
  /** Of the whole program, so far. */
  readonly peak_memory_bytes: number;
}

export function toReport(log: AnalyzedLog, context: RunContext): Report {
  const { file, sha256, analysis, durationMs } = log;
  const { rules, period } = context;
  return {
    file,
    sha256,
    log_type: analysis.logType,
    events: analysis.events,
    ...(period !== undefined && { period: { since: iso(period.from), until: iso(period.to), ...analysis.passedOver } }),
    rules: { loaded: rules.loaded, rejected: rules.rejected },
    findings: analysis.findings.map(toReportedFinding),
    warnings: [...ruleWarnings(rules), ...warningsOf(analysis)],
    duration_ms: durationMs,
    ...(context.stats && { statistics: toStatistics(log, context) }),
  };
}

/** Sentences: what is odd about the rules. */
export function ruleWarnings(rules: LoadedRules): string[] {
  return [
    ...(rules.loaded === 0 ? ['No rule was usable, so nothing was looked for.'] : []),
    ...rules.warnings.map(({ path, line, message }) => `${path}:${line}: ${message}`),
  ];
}

/** Sentences: what is odd about a log, and damage in it. */
export function warningsOf({ events, problems }: Analysis): string[] {
  return [...(events === 0 ? ['No event was read from this file.'] : []), ...problems.map(damage)];
}

/** A matched event as other programs get it. */
export function toMatchedEvent({ recordId, timestamp, computer, channel, eventId, fields }: Sample): MatchedEvent {
  return { record_id: recordId, timestamp, computer, channel, event_id: eventId, fields };
}

/** Most memory that the program has had so far. */
export function peakMemoryBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

function toReportedFinding(finding: Finding): ReportedFinding {
  const { ruleId, ruleName, author, severity, tags, count, first, last, computers, samples } = finding;
  return {
    rule_id: ruleId,
    rule_name: ruleName,
    rule_author: author,
    severity,
    tags,
    count,
    first_seen: first,
    last_seen: last,
    computers,
    events: samples.map(toMatchedEvent),
  };
}

function toStatistics({ bytes, analysis }: AnalyzedLog, { rulesMs }: RunContext): ReportedStatistics {
  const { first = null, last = null, kinds = [] } = analysis.statistics ?? {};
  return {
    bytes,
    first,
    last,
    kinds: kinds.map(({ channel, eventId, count }) => ({ channel, event_id: eventId, count })),
    rules_ms: rulesMs,
    peak_memory_bytes: peakMemoryBytes(),
  };
}

function iso(time = Infinity): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString() : null;
}

function damage({ message, count, offset }: ReadProblem): string {
  return count === 1 ? `${message} (at byte ${offset})` : `${message} (${count} times, first at byte ${offset})`;
}
