import type { Actor, EntityType, Severity } from '@svc/domain';

export interface CaseRule {
  readonly ruleName: string;
  readonly ruleId: string | null;
  readonly severity: Severity;
  readonly events: number;
  readonly jobs: number;
}

/** Findings of all visible jobs of a case. */
export interface CaseRollUp {
  readonly jobs: number;
  readonly bySeverity: readonly { readonly severity: Severity; readonly findings: number; readonly events: number }[];
  /** The worst rules, of these those of the most events. */
  readonly rules: readonly CaseRule[];
  /** By what the tags of their rules are. */
  readonly byTags: readonly { readonly tags: readonly string[]; readonly findings: number; readonly events: number }[];
}

export interface EntityPivot {
  readonly id: number;
  readonly value: string;
  readonly type: EntityType;
  readonly occurrences: number;
  readonly jobs: number;
}

export interface JobPivot {
  readonly jobId: number;
  readonly severity: Severity;
  readonly rules: readonly string[];
}

/** What the visible jobs of a case have found, and what is near them. */
export interface CaseOverviews {
  rollUp(viewer: Actor, caseId: number, mostRules: number): Promise<CaseRollUp>;
  /** Entities of its jobs that it lacks and nobody allowlisted, those of the most events first. */
  entities(viewer: Actor, caseId: number, limit: number): Promise<readonly EntityPivot[]>;
  /** Visible jobs beside it in which its worst rules match, too: the worst first, then those that share the most. */
  correlated(
    viewer: Actor,
    caseId: number,
    most: { readonly rules: number; readonly jobs: number },
  ): Promise<readonly JobPivot[]>;
}
