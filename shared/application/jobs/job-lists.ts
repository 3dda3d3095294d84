import type { JobSort } from '@svc/contracts';
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
  /** Of these lists too, all of one. @default no such condition */
  readonly alternatives?: readonly (readonly JobFilter[])[];
  readonly now: Date;
}

/** How jobs are ordered: from the newest, the most matches or the worst on, and by number within these; or back. */
export interface JobOrder {
  readonly by: JobSort;
  readonly isReversed: boolean;
}

/**
 * A place between rows of a list: right after the row named, on its further (`older`) or its nearer side. The row is
 * named by what it is sorted by, a number or a text, and its id.
 */
export interface ListCursor {
  readonly side: 'older' | 'newer';
  readonly key: number | string;
  readonly id: number;
}

/** Which page of a list: by its number or, cheap however deep it lies, by what it comes right after. */
export interface ListPlace {
  readonly page: number;
  readonly per: number;
  readonly cursor?: ListCursor | null;
}

export interface JobPage {
  readonly jobs: readonly JobView[];
  /** The page shown: the last one when the one asked for lies beyond it; as asked for with a cursor. */
  readonly page: number;
  readonly total: number;
  /** The total was counted no further: there are more. */
  readonly isFloor: boolean;
  /** The pages beside this one; null where there is none. */
  readonly older: ListCursor | null;
  readonly newer: ListCursor | null;
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
  /** @param order - default the newest first */
  page(viewer: Actor, search: JobSearch, place: ListPlace, order?: JobOrder): Promise<JobPage>;
  /** Jobs on files that the viewer has submitted, all for administrators. */
  planRerun(viewer: Actor, search: JobSearch, limit: number): Promise<RerunPlan>;
  /** Names of the engines that ran on visible jobs, by name. */
  engines(viewer: Actor): Promise<readonly string[]>;
}
