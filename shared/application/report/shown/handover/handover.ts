import type { Analytics, FindingRow, JobDetail, Sentence } from '@svc/contracts';
import type { SeveritySummary } from '@svc/domain';

/** Something that is known, with its name. */
export type KnownFact = readonly [name: string, value: string];

/** What a report is of, whether a job has it or a browser made it. */
export interface HandoverSubject {
  /** Of the log. */
  readonly name: string;
  /** Where it stands: which job, how it ended, who may read it. */
  readonly standing: readonly string[];
  /** Absolute address of the report; null where it has none. */
  readonly address: string | null;
  /** Whether the log was analysed to its end by one engine at least; else nothing found says nothing. */
  readonly isAnalysed: boolean;
  readonly severitySummary: SeveritySummary;
  readonly totalFindings: number;
  readonly distinctRules: number;
  readonly events: number | null;
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
  /** What limits what the report can say: damage, engines that failed. */
  readonly limits: readonly string[];
  readonly file: readonly KnownFact[];
  /** By which rules, engines and when it was made. */
  readonly making: readonly KnownFact[];
}

/** A comment, as plain text. */
export interface HandedComment {
  /** Null when the account is gone. */
  readonly author: string | null;
  readonly body: string;
  readonly at: string;
  readonly isEdited: boolean;
}

/** All that a report to hand over says; what its viewer may not read is not in it. */
export interface Handover {
  readonly subject: HandoverSubject;
  /** When it was put together, and by whom; null for a visitor. */
  readonly at: string;
  readonly by: string | null;
  /** Worst first. */
  readonly findings: readonly FindingRow[];
  /** One matched event of each of the worst findings, in a line, by the finding's id; null when none were read. */
  readonly evidence: ReadonlyMap<number, string> | null;
  readonly analytics: Analytics | null;
  /** What the findings come to, in sentences; none where they say nothing or were not read. */
  readonly happened: readonly Sentence[];
  /** What is in the log, matched or not: of one in which nothing worse than low was found, as far as it was counted. */
  readonly contents: readonly Sentence[];
  /** Whether the site shows ATT&CK in reports. */
  readonly panels: Pick<JobDetail['panels'], 'mitre_heatmap'>;
  /** Oldest first, and how many there are; null where there is no discussion, or none was read. */
  readonly comments: { readonly total: number; readonly list: readonly HandedComment[] } | null;
}

/** Findings that are told with evidence. */
const mostTold = 10;

/** The worst findings, of several engines' equal ones the first; `findings` come worst first. */
export function worstFindings(findings: readonly FindingRow[]): FindingRow[] {
  const bySignature = new Map<string, FindingRow>();
  for (const finding of findings) {
    if (bySignature.size === mostTold) break;
    if (!bySignature.has(finding.rule_signature)) bySignature.set(finding.rule_signature, finding);
  }
  return [...bySignature.values()];
}
