import type { AlertRule, AlertRuleScope, EntityType, Role } from '@svc/domain';

/** A rule that is switched on, with what its owner may by now; null for one of the site. */
export interface RuleInForce extends AlertRule {
  readonly owner: { readonly email: string; readonly role: Role; readonly isActive: boolean } | null;
  /** The entity whose star made it. */
  readonly starred: { readonly type: EntityType; readonly value: string } | null;
}

/** What is noted of a rule that has run. */
export interface RuleRun {
  readonly ruleId: number;
  readonly hasMatched: boolean;
  /** More has matched than is recorded. */
  readonly isTruncated: boolean;
  readonly newAlerts: number;
}

/** Rules as they run over a job, once each, and what they record of it (resolved-intel 10.4). Part of a transaction. */
export interface RulePasses {
  /** Has rules run over a job when what it names is stored. */
  await(jobId: number): Promise<void>;
  /** Those of the jobs over which rules are to run. */
  awaited(jobIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Begins the one pass over a job; false where there was one, none is to be, or what the job names is still to be stored. */
  begin(jobId: number): Promise<boolean>;
  /**
   * Those that are switched on, oldest first.
   * @param which.types - leaves out those on other types of entities; null for all
   */
  inForce(which: {
    readonly scope: AlertRuleScope;
    readonly types: readonly EntityType[] | null;
    readonly shared: 'with' | 'without' | 'only';
    readonly limit: number;
  }): Promise<readonly RuleInForce[]>;
  /** Records matches that are not recorded yet; how many of each rule were not. */
  recordEntities(
    matches: readonly (RecordedMatch & { readonly entityIds: readonly number[] })[],
  ): Promise<ReadonlyMap<number, number>>;
  /** False where it is recorded. */
  recordJob(of: RecordedMatch): Promise<boolean>;
  note(runs: readonly RuleRun[], at: Date): Promise<void>;
}

export interface RecordedMatch {
  readonly ruleId: number;
  readonly jobId: number;
  readonly at: Date;
  /** Whether it waits in the bell to be acknowledged. */
  readonly isAlert: boolean;
}
