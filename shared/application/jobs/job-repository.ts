import type { Actor, Job, JobErrorCode, JobStatus, LogType, RerunReason, UploadedFile } from '@svc/domain';
import type { ResultTotals } from '../report/result-repository.ts';

/** A job to be made, on a file that the transaction holds. */
export interface NewJob {
  readonly fileId: number;
  readonly sha256: string;
  readonly workflowId: number;
  readonly submittedBy: string | null;
  readonly submitterIp: string;
  readonly submittedName: string | null;
  readonly logType: LogType;
  readonly isPrivate: boolean;
  readonly at: Date;
}

export interface JobRecord {
  readonly job: Job;
  readonly file: UploadedFile;
}

export interface StatusChange {
  /** The status that the caller expects; must be one from which `to` can be reached. */
  readonly from: JobStatus;
  readonly to: JobStatus;
  readonly at: Date;
  /** For ends that need a reason. */
  readonly error?: { readonly code: JobErrorCode; readonly message: string };
  /** The lease that the caller works under: nothing changes when another worker has claimed the job. */
  readonly claim?: string;
}

/** Jobs as their life-cycle writes them; pages read through `JobViews`. */
export interface JobRepository {
  /** A pending one. */
  create(job: NewJob): Promise<Job>;
  /** The newest job of a workflow on a file that the viewer may see. */
  newestSeen(viewer: Actor, on: { readonly fileId: number; readonly workflowId: number }): Promise<Job | null>;
  /** Those that are there, which nobody else changes or removes until the transaction ends; others wait here. */
  hold(ids: readonly number[]): Promise<readonly { readonly id: number; readonly fileId: number }[]>;
  /** The same for a running job, as long as this lease has it; false when it is not so. */
  holdUnder(id: number, claim: string): Promise<boolean>;
  /** Has lists find jobs, which are held, by the tags and tasks that they have now. */
  mark(ids: readonly number[]): Promise<void>;
  get(id: number): Promise<JobRecord | null>;
  /** The newest job of an account on a file (resolved-platform 3.6). */
  newestOf(userId: string, fileId: number): Promise<JobRecord | null>;
  /** The address that the job was submitted from; null when there is no such job. */
  addressOf(id: number): Promise<string | null>;
  /** When the analysis of a job last began or ended; null when none ever did. */
  lastWorkedAt(): Promise<Date | null>;
  /** Whether a job on the file is not private. */
  hasPublic(fileId: number): Promise<boolean>;
  /**
   * Makes a pending job running, or takes over one that runs under another lease, which the job then says
   * (`rerunReason`); false when it has ended.
   */
  claim(id: number, claim: string, at: Date): Promise<boolean>;
  /** Has a live job say why its analysis will be begun again. */
  noteRerun(id: number, why: RerunReason): Promise<void>;
  /** Moves the job on if it is as the caller expects; false otherwise. */
  changeStatus(id: number, change: StatusChange): Promise<boolean>;
  /** Writes what came of a job that has just ended. */
  conclude(id: number, totals: ResultTotals, at: Date): Promise<void>;
  /** Writes its figures anew. */
  recount(id: number, totals: ResultTotals): Promise<void>;
  /** Marks a live job for its worker to stop; false when it has ended. */
  requestCancel(id: number, at: Date): Promise<boolean>;
  /** Removes the job, with everything that refers to it; receipts stay, without it. */
  remove(id: number): Promise<void>;
}
