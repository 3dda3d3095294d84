import type { Actor, Job, JobErrorCode, JobStatus, LogType, RerunReason, UploadedFile } from '@svc/domain';
import type { NewReceipt } from './receipt-repository.ts';
import type { UploadUse } from './upload-repository.ts';

/** What a submission leaves beside its job, in the same transaction. */
export interface SubmissionMarks {
  readonly receipt: NewReceipt | null;
  /** The reserved upload that the file came by; used up with the job. */
  readonly upload: UploadUse | null;
  /** The case that the job is put in. */
  readonly caseId: number | null;
  /** Names of tags that the job is given. */
  readonly tags: readonly string[];
  /** Account id of the submitter; null for an anonymous one. */
  readonly by: string | null;
  readonly at: Date;
}

export interface NewFile {
  readonly originalName: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly detectedType: LogType;
  readonly uploaderIp: string;
}

/** A file and its job, committed together. */
export interface NewSubmission {
  /** Or the id of one that is there. */
  readonly file: NewFile | { readonly id: number };
  readonly job: {
    readonly workflowId: number;
    readonly submittedBy: string | null;
    readonly submitterIp: string;
    readonly submittedName: string | null;
    readonly logType: LogType;
    readonly isPrivate: boolean;
  };
  /**
   * Whether the newest job of the workflow on these bytes that the submitter may see answers the submission; null to
   * have a new one anyway.
   */
  readonly reuse: { readonly by: Actor; answers(newest: Job): boolean } | null;
  readonly marks: SubmissionMarks;
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
  /**
   * One transaction: the file's row, or the one that has the same bytes (its detected type is
   * refreshed, its `storageKey` stays), a pending job unless an earlier one is `reused`
   * (resolved-platform 3.5), and the marks. Submissions of the same bytes take turns. Throws `conflict`
   * when the receipt's key is taken or the upload used, `not_found` when a file that is named by its id is gone.
   */
  submit(submission: NewSubmission): Promise<JobRecord & { readonly reused: boolean }>;
  /** Leaves the marks of a submission that only repeats one; throws `conflict` as `submit` does. */
  mark(id: number, marks: SubmissionMarks): Promise<void>;
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
  /**
   * Moves the job on if it is as the caller expects; false otherwise. Terminal states close open
   * tasks and recompute the totals in the same transaction.
   */
  changeStatus(id: number, change: StatusChange): Promise<boolean>;
  /** Marks a live job for its worker to stop; false when it has ended. */
  requestCancel(id: number, at: Date): Promise<boolean>;
  /**
   * Removes the job with everything that hangs on it, and its file when no other job is on that (3.4); receipts
   * stay, without it. Returns the keys of the objects that are dropped by this, which are noted as such; null when
   * there is no such job.
   */
  remove(id: number, at: Date): Promise<readonly string[] | null>;
}
