import type { Actor, Case, Finding, Job, Tag, TaskResult } from '@svc/domain';
import type { JobRecord } from './job-repository.ts';

/** A job with what its row in a list shows. */
export interface JobView extends JobRecord {
  readonly workflow: { readonly id: number; readonly name: string };
  /** Display name or address of the account; null for anonymous submissions. */
  readonly submitter: string | null;
  /** Whether parts of its log were damaged. */
  readonly partlyRead: boolean;
  /** Time of the first and last matched event; null before the job has ended. */
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
  /** The first of its findings, worst first; null when there are none. */
  readonly topFinding: Pick<Finding, 'id' | 'ruleName' | 'severity'> | null;
  /** By name; none for viewers below member, as with the cases. */
  readonly tags: readonly Tag[];
  /** Cases that hold the job and the viewer sees, newest updated first, at most 10. */
  readonly cases: readonly Pick<Case, 'id' | 'name'>[];
}

export interface QueueState {
  /** Waiting jobs of everybody up to this one; 0 once it does not wait. */
  readonly position: number;
  /** Mean seconds that recent analyses by the same workflow took; null when there are none. */
  readonly meanSeconds: number | null;
}

/** Jobs as pages read them; private jobs of others do not exist here (resolved-platform 3.7). */
export interface JobViews {
  get(viewer: Actor, id: number): Promise<JobView | null>;
  /** The visible ones among these ids, in any order. */
  some(viewer: Actor, ids: readonly number[]): Promise<readonly JobView[]>;
  /** The visible ones among these ids. */
  among(viewer: Actor, ids: readonly number[]): Promise<readonly Job[]>;
  /** Those of these jobs whose logs were damaged in parts; whoever asks has seen to it that they are visible. */
  partlyRead(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Live jobs: those that are worked on first, then those that wait, the oldest first. */
  active(viewer: Actor, limit: number): Promise<readonly JobView[]>;
  /** Jobs that were worked on and have ended, the last one first. */
  lastEnded(viewer: Actor, limit: number): Promise<readonly JobView[]>;
  /** The newest jobs with a report that the viewer may see, one of each file. */
  reported(viewer: Actor, limit: number): Promise<readonly JobRecord[]>;
  /** Tasks in workflow order. */
  tasks(jobId: number): Promise<readonly TaskResult[]>;
  /** What the engine of a task said, empty when nothing; null when there is no such task. */
  taskLog(taskId: number): Promise<string | null>;
  /** What tells how long a live job still takes. */
  queue(job: Job): Promise<QueueState>;
  /** Live jobs of everybody, oldest first: what a sweep looks at. */
  live(): Promise<readonly Job[]>;
}
