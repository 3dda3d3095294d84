import type { Actor, SearchCondition } from '@svc/domain';
import type { JobView } from './job-views.ts';

/** One term of a search; without a condition it matches nothing, negated or not. */
export interface JobFilter {
  readonly negated: boolean;
  readonly condition: SearchCondition | null;
}

/** What a list is narrowed to: jobs that meet all the filters. `now` is what times are counted back from. */
export interface JobSearch {
  readonly filters: readonly JobFilter[];
  readonly now: Date;
}

export interface JobPage {
  readonly jobs: readonly JobView[];
  /** The page shown: the last one when the one asked for lies beyond it. */
  readonly page: number;
  readonly total: number;
  /** Whether any visible job, on whatever page, is live. */
  readonly hasRunning: boolean;
}

/** What analysing all jobs of a search again comes to. */
export interface RerunPlan {
  /** Jobs that the search finds. */
  readonly matched: number;
  /** Analyses that the viewer may repeat among them: files with a workflow each, once. */
  readonly analyses: number;
  /** The newest job of each of these, newest first, as many as were asked for. */
  readonly jobIds: readonly number[];
}

/** Lists of jobs; private jobs of others do not exist here (resolved-platform 3.7, 12). */
export interface JobLists {
  /** Newest first by (created, id). */
  page(viewer: Actor, search: JobSearch, shown: { readonly page: number; readonly per: number }): Promise<JobPage>;
  /** Jobs on files that the viewer has submitted, all for administrators. */
  planRerun(viewer: Actor, search: JobSearch, limit: number): Promise<RerunPlan>;
  /** Brings what pages are found by up to date with the changes of jobs; returns how many there were. */
  settle(): Promise<number>;
  /** Names of the engines that ran on visible jobs, by name. */
  engines(viewer: Actor): Promise<readonly string[]>;
}
