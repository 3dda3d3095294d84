import type { JobStatus, TaskStatus } from './job-status.ts';
import type { LogType } from './log-type.ts';
import type { Severity, SeveritySummary } from './severity.ts';

/** Why a job ended otherwise than by its analysis (resolved-platform 3.2). */
export const jobErrorCodes = [
  'cancelled_by_user',
  'cancelled_worker_lost',
  'internal',
  'no_task_ran',
  'queue_expired',
  'queue_unreachable',
  'tasks_failed',
  'upload_missing',
  'worker_lost_admin',
  'worker_lost_startup',
  'workflow_empty',
] as const;
export type JobErrorCode = (typeof jobErrorCodes)[number];

/** What anybody who may see the job may read about its end. */
export const jobErrorTexts: Readonly<Record<JobErrorCode, string>> = {
  cancelled_by_user: 'Cancelled',
  cancelled_worker_lost: 'Cancelled; its worker had already stopped',
  internal: 'The analysis stopped unexpectedly',
  no_task_ran: 'No engine of the workflow could read this file, so nothing was checked',
  queue_expired: 'The job waited too long for a worker; submit the file again',
  queue_unreachable: 'The job could not be queued; submit the file again',
  tasks_failed: 'The analysis failed',
  upload_missing: 'The uploaded file is gone from the store; submit it again',
  worker_lost_admin: 'The worker stopped during the analysis; submit the file again',
  worker_lost_startup: 'The service was stopped during the analysis too often; submit the file again',
  workflow_empty: 'The workflow has no tasks',
};

/** Why an analysis was begun more than once. */
export const rerunReasons = ['interrupted', 'out_of_time'] as const;
export type RerunReason = (typeof rerunReasons)[number];

/** What anybody who may see the job may read about its delay. */
export const rerunTexts: Readonly<Record<RerunReason, string>> = {
  interrupted: 'The analysis was interrupted and begun again, which made it take longer.',
  out_of_time:
    'The analysis did not end within the time that small files have; it was begun again on a larger worker, which made it take longer.',
};

/** Totals over the committed findings of a job's tasks, recomputed whenever it ends (3.1). */
export interface JobTotals {
  /** Tasks with findings / tasks neither skipped nor cancelled. */
  readonly scoreRatio: string;
  /** Matched events. */
  readonly totalFindings: number;
  /** Rules that matched. */
  readonly distinctRules: number;
  readonly severitySummary: SeveritySummary;
}

/** One analysis of one file by one workflow. */
export interface Job extends JobTotals {
  /** Rules that matched and that something was decided about. */
  readonly reviewedRules: number;
  readonly id: number;
  readonly fileId: number;
  readonly workflowId: number;
  /** Account id; null for anonymous submissions. */
  readonly submittedBy: string | null;
  readonly submittedName: string | null;
  /** Effective type: detected, or what the submitter said. */
  readonly logType: LogType;
  readonly isPrivate: boolean;
  readonly status: JobStatus;
  readonly errorCode: JobErrorCode | null;
  readonly errorMessage: string | null;
  /** Null when it was begun once at most. */
  readonly rerunReason: RerunReason | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly cancelRequestedAt: Date | null;
}

/** Rules that a task ran with. */
export interface RuleSet {
  /** Of its packs, joined where there are several. */
  readonly name: string;
  readonly version: string;
  readonly loaded: number;
  readonly rejected: number;
  readonly packs: readonly UsedPack[];
}

/** The version of a rule pack that a task ran with. */
export interface UsedPack {
  readonly name: string;
  readonly version: string;
  /** Of its files: a publisher may call two versions the same. Not there in earlier jobs. */
  readonly digest?: string;
  /** ISO date of the newest rule in it. */
  readonly datedAt: string;
}

/** One engine's run within a job (2.6). */
export interface TaskResult {
  readonly id: number;
  readonly jobId: number;
  readonly engine: string;
  readonly status: TaskStatus;
  /** Distinct rules, not matches. */
  readonly findingsCount: number;
  readonly durationMs: number | null;
  readonly errorMessage: string | null;
  readonly bytesDone: number | null;
  readonly bytesTotal: number | null;
  /** Records read; null when the engine does not say. */
  readonly events: number | null;
  readonly warnings: readonly string[];
  readonly ruleSet: RuleSet | null;
}

/** Hosts kept with a finding. */
export const mostHosts = 200;

/** One rule that matched in a job (4), without its events and its source. */
export interface Finding {
  readonly id: number;
  readonly jobId: number;
  readonly taskResultId: number;
  readonly engine: string;
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly ruleAuthor: string | null;
  readonly severity: Severity;
  /** Matched events, however many are kept. */
  readonly count: number;
  /** Those of them that the instance has suppressed; with all of them it counts nowhere. */
  readonly suppressed: number;
  readonly tags: readonly string[];
  /** First and last matched event, UTC ISO 8601 with the source's precision. */
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  /**
   * All hosts that its matched events name, sorted; null when there are more than {@link mostHosts} or it is not known,
   * as of findings stored before hosts were.
   */
  readonly hosts: readonly string[] | null;
  readonly hasEvents: boolean;
  readonly hasRule: boolean;
  /** What each engine found of the rule, its own first, where it stands for what several did; else none. */
  readonly parts?: readonly FindingPart[] | null;
}

/** What one engine of several found of a rule. */
export interface FindingPart {
  readonly findingId: number;
  readonly engine: string;
  /** Its own matched events, and how many of them are kept. */
  readonly count: number;
  readonly kept: number;
}

/** `<rule id or slug of its name>:<severity>`: tells the same detection in other jobs (9.2). */
export function ruleSignature(rule: { ruleId: string | null; ruleName: string; severity: Severity }): string {
  const slug = rule.ruleName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const id = rule.ruleId ?? (slug === '' ? 'unknown' : slug);
  return `${id.slice(0, 185)}:${rule.severity}`;
}
