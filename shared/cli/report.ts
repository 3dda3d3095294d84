import type { MatchedEvent } from '@svc/contracts';
import type { LogType, Severity } from '@svc/domain';
import type { Analysis, Finding, LoadedRules, ReadProblem, RuleProblem } from '@svc/engine';

/** One file, hashed and checked. */
export interface AnalyzedFile {
  /** As named on the command line. */
  readonly file: string;
  readonly sha256: string;
  readonly analysis: Analysis;
  readonly rules: LoadedRules;
  readonly durationMs: number;
}

/** What is printed of one file as JSON. Other programs rely on it: add to it, never change it. */
export interface Report {
  readonly file: string;
  readonly sha256: string;
  readonly log_type: LogType;
  /** Records read. */
  readonly events: number;
  readonly rules: { readonly loaded: number; readonly rejected: readonly RuleProblem[] };
  /** Worst first. */
  readonly findings: readonly ReportedFinding[];
  readonly warnings: readonly string[];
  readonly duration_ms: number;
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
  readonly events: readonly MatchedEvent[];
}

export function toReport(analyzed: AnalyzedFile): Report {
  const { file, sha256, analysis, rules, durationMs } = analyzed;
  return {
    file,
    sha256,
    log_type: analysis.logType,
    events: analysis.events,
    rules: { loaded: rules.loaded, rejected: rules.rejected },
    findings: analysis.findings.map(toReportedFinding),
    warnings: warningsOf(analyzed),
    duration_ms: durationMs,
  };
}

/** Sentences: what is odd about the rules, and damage in the log. */
export function warningsOf({ analysis, rules }: AnalyzedFile): string[] {
  return [
    ...(rules.loaded === 0 ? ['No rule was usable, so nothing was looked for.'] : []),
    ...(analysis.events === 0 ? ['No event was read from this file.'] : []),
    ...rules.warnings.map(({ path, line, message }) => `${path}:${line}: ${message}`),
    ...analysis.problems.map(damage),
  ];
}

function toReportedFinding({ ruleId, ruleName, author, severity, tags, count, samples }: Finding): ReportedFinding {
  const events = samples.map(({ recordId, timestamp, computer, channel, eventId, fields }) => ({
    record_id: recordId,
    timestamp,
    computer,
    channel,
    event_id: eventId,
    fields,
  }));
  return { rule_id: ruleId, rule_name: ruleName, rule_author: author, severity, tags, count, events };
}

function damage({ message, count, offset }: ReadProblem): string {
  return count === 1 ? `${message} (at byte ${offset})` : `${message} (${count} times, first at byte ${offset})`;
}
