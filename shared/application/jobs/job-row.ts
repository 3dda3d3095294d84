import type { JobRow, TaskState } from '@svc/contracts';
import {
  fallbackName,
  hasRole,
  isTerminal,
  jobErrorTexts,
  reportedStatuses,
  rerunTexts,
  type Actor,
  type Job,
  type TaskResult,
} from '@svc/domain';
import type { JobView } from './job-views.ts';

/** A job as lists show it to this viewer. */
export function toJobRow(view: JobView, viewer: Actor): JobRow {
  const { job, file, workflow, submitter, partlyRead, topFinding, tags, cases } = view;
  return {
    job_id: job.id,
    job_url: `/jobs/${job.id}`,
    filename: shownName(view),
    log_type: job.logType,
    workflow,
    status: job.status,
    partly_read: partlyRead,
    size_bytes: file.sizeBytes,
    total_findings: job.totalFindings,
    distinct_rules: job.distinctRules,
    reviewed_rules: viewer.kind === 'anonymous' ? 0 : job.reviewedRules,
    severity_summary: { ...job.severitySummary },
    // Findings are complete when the job is.
    top_finding:
      topFinding && isTerminal(job.status)
        ? { id: topFinding.id, rule_name: topFinding.ruleName, severity: topFinding.severity }
        : null,
    score_ratio: job.scoreRatio,
    is_private: job.isPrivate,
    tags: tags.map(({ name, color }) => ({ tag: name, color })),
    member_cases: cases.map(({ id, name }) => ({ case_id: id, name })),
    submitter: shownSubmitter(job, submitter, viewer),
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    error: shownError(job, viewer),
  };
}

/** The name that it was submitted by (service 2.1). */
export function shownName({ job, file }: Pick<JobView, 'job' | 'file'>): string {
  return job.submittedName ?? fallbackName(file.sha256);
}

/** Members see who submitted; others only whether an account did (resolved-platform 11). */
function shownSubmitter(job: Job, submitter: string | null, viewer: Actor): string {
  if (job.submittedBy === null) return 'anonymous';
  return hasRole(viewer, 'member') ? (submitter ?? 'deleted account') : 'account';
}

/** Administrators read the stored text, others a sentence that tells nothing about the server. */
export function shownError(job: Job, viewer: Actor): string | null {
  if (job.errorCode === null) return null;
  return hasRole(viewer, 'admin') ? job.errorMessage : jobErrorTexts[job.errorCode];
}

/**
 * The similarity digest of a job's file, or null. A job shows the one that its report came with: a digest that was
 * there before would tell of jobs that the viewer may not see.
 */
export function shownDigest({ job, file }: Pick<JobView, 'job' | 'file'>): string | null {
  return reportedStatuses.includes(job.status) && file.tlsh !== '' ? file.tlsh : null;
}

/** Why a job takes longer than others, in words. */
export function delayOf({ rerunReason }: Job): string | null {
  return rerunReason && rerunTexts[rerunReason];
}

/** A task as its job's page shows it to this viewer. */
export function toTaskState(task: TaskResult, viewer: Actor): TaskState {
  return {
    id: task.id,
    tool: task.engine,
    status: task.status,
    findings_count: task.findingsCount,
    duration_ms: task.durationMs,
    error: shownTaskError(task, viewer),
    progress:
      task.bytesDone === null || task.bytesTotal === null
        ? null
        : { bytes_done: task.bytesDone, bytes_total: task.bytesTotal },
  };
}

function shownTaskError(task: TaskResult, viewer: Actor): string | null {
  if (task.errorMessage === null || hasRole(viewer, 'admin')) return task.errorMessage;
  if (task.status === 'skipped') return 'This engine could not read the file';
  return task.status === 'cancelled' ? 'Cancelled' : 'This engine failed';
}
