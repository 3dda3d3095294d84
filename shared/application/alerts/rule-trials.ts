import type { Actor, AlertRuleDefinition, EntityType } from '@svc/domain';
import type { EntityListSearch } from '../intel/entity-lists.ts';
import type { JobSearch } from '../jobs/job-lists.ts';

/** What a rule looks for, and through what. */
export type RuleCondition = Pick<AlertRuleDefinition, 'scope' | 'query' | 'entityTypes'> & {
  /** The only entity that is meant; null for any. */
  readonly entityId: number | null;
};

/** A condition as the searches of pages run it. */
export type RulePlan =
  | { readonly scope: 'entity'; readonly search: EntityListSearch }
  | { readonly scope: 'job'; readonly search: JobSearch };

/** A job in which a condition is met. */
export interface TrialMatch {
  readonly jobId: number;
  /** Entities that meet it; 1 of a condition on jobs. */
  readonly matches: number;
  /** The first of them, by id. */
  readonly entityIds: readonly number[];
}

export interface NewBacktest extends RuleCondition {
  readonly accountId: string;
  readonly since: Date;
  readonly until: Date;
  readonly jobsTotal: number;
  readonly createdAt: Date;
}

/** A condition that is looked for in a range of time. */
export interface Backtest extends NewBacktest {
  readonly id: number;
  readonly jobsDone: number;
  readonly lastJobId: number | null;
}

/** A visible job that a back-test matched. */
export interface BacktestMatch {
  readonly jobId: number;
  readonly matches: number;
  readonly entities: readonly { readonly id: number; readonly type: EntityType; readonly value: string }[];
}

/** Which jobs: ended ones that the viewer sees. */
export interface TrialRange {
  readonly since: Date;
  readonly until: Date;
  /** Those with lower numbers than this one; null for all. */
  readonly below: number | null;
}

/** What rules would match, by the searches that pages use; private jobs of others do not exist here. */
export interface RuleTrials {
  /** The newest jobs that have ended with a result. */
  recentJobs(viewer: Actor, limit: number): Promise<readonly number[]>;
  /** The same of a range, those of the highest numbers first. */
  jobsOf(viewer: Actor, range: TrialRange, limit: number): Promise<readonly number[]>;
  countJobs(viewer: Actor, range: Omit<TrialRange, 'below'>): Promise<number>;
  /** Which of these jobs, that the viewer sees, meet a condition. */
  matches(viewer: Actor, plan: RulePlan, jobIds: readonly number[]): Promise<readonly TrialMatch[]>;
  /** Keeps a back-test; of an account so many and no more. Its id. */
  begin(backtest: NewBacktest, most: number): Promise<number>;
  get(id: number): Promise<Backtest | null>;
  /** The last that an account asked for, the newest first. */
  backtestsOf(accountId: string): Promise<readonly Backtest[]>;
  /** Keeps what came of looking at jobs down to one, unless that was done already; how many jobs have matched by now. */
  record(
    backtest: Pick<Backtest, 'id' | 'lastJobId'>,
    looked: { readonly jobs: number; readonly lastJobId: number; readonly found: readonly TrialMatch[] },
  ): Promise<number>;
  /** Matched jobs, those of the highest numbers first, and how many there are with how many matches. */
  found(
    viewer: Actor,
    backtestId: number,
    place: { readonly page: number; readonly per: number },
  ): Promise<{ readonly jobs: number; readonly matches: number; readonly found: readonly BacktestMatch[] }>;
}
