import type { JobStatus, SeveritySummary } from '@svc/domain';

/** What became of one file; as JSON prints it. */
export interface Outcome {
  readonly file: string;
  /** Null when the file was not read. */
  readonly sha256: string | null;
  readonly size_bytes: number;
  readonly job_id: number | null;
  readonly job_url: string | null;
  readonly case_id: number | null;
  /** Of the job, as far as it is known; `not_submitted` when there is none. */
  readonly status: JobStatus | 'not_submitted';
  /** Whether the job was there before this call. */
  readonly reused: boolean;
  /** Null until the job is done. */
  readonly total_findings: number | null;
  readonly severity_summary: SeveritySummary | null;
  /** Why there is no job, or why it was not completed. */
  readonly error: string | null;
}
