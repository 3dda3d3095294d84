import type { Finding, ReviewState, Severity, Tactic } from '@svc/domain';

/** The place of a finding in the order of a case: worst first, then the most matches. */
export interface CaseFindingPlace {
  readonly rank: number;
  readonly count: number;
  readonly id: number;
}

/** What findings of some jobs are narrowed to; what is not given narrows nothing. */
export interface CaseFindingsAsked {
  readonly caseId: number;
  /** Those that it or the instance has suppressed, instead of the others. */
  readonly isSuppressed: boolean;
  readonly jobIds: readonly number[];
  readonly severities: readonly Severity[];
  /** Part of the name of a rule, or its id. */
  readonly rule: string;
  /** Those that name it, and those that are known to by their ids. */
  readonly host: { readonly name: string; readonly ids: readonly number[] } | null;
  readonly tactic: Tactic | null;
  readonly state: ReviewState | null;
}

/** What tells where, when and how badly a rule matched. */
export type FindingMark = Pick<
  Finding,
  'id' | 'jobId' | 'ruleName' | 'severity' | 'tags' | 'count' | 'firstSeen' | 'lastSeen' | 'hosts'
> & {
  /** Sample events that are kept. */
  readonly kept: number;
};

/** Findings of a job that name an account. */
export interface NamedAccount {
  readonly entityId: number;
  readonly name: string;
  readonly jobId: number;
  readonly severity: Severity;
  readonly ruleName: string;
  readonly findings: number;
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
}

/** Findings of many jobs at once. */
export interface CaseFindingLists {
  /** Those after a place, at most so many, and how many there are by severity, whatever severities are asked for. */
  page(
    asked: CaseFindingsAsked,
    from: { readonly after: CaseFindingPlace | null; readonly limit: number },
  ): Promise<{
    readonly findings: readonly (Finding & { readonly state: ReviewState })[];
    readonly severities: Readonly<Record<Severity, number>>;
  }>;
  /** All of some jobs that are not suppressed. */
  marks(caseId: number, jobIds: readonly number[]): Promise<readonly FindingMark[]>;
  /** Those of some jobs that name an entity of a case; null where it is not in the case. */
  naming(caseId: number, entityId: number, jobIds: readonly number[]): Promise<ReadonlySet<number> | null>;
  /** Accounts that findings of some jobs name, by job and rule. */
  accounts(caseId: number, jobIds: readonly number[]): Promise<readonly NamedAccount[]>;
}
