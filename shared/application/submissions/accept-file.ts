import type { SubmitJobInput, SubmittedJob } from '@svc/contracts';
import {
  AppError,
  isSubmitter,
  fileNumber,
  jobErrorTexts,
  logTypes,
  type Actor,
  type Job,
  type LogType,
  type Workflow,
} from '@svc/domain';
import { detectLogType } from '@svc/engine';
import { moveJob } from '../analysis/move-job.ts';
import { queueAnalysis, type QueuePorts } from '../analysis/queue-analysis.ts';
import type { NewReceipt } from './receipt-repository.ts';
import type { JobRecord } from '../jobs/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { UploadUse } from './upload-repository.ts';
import { refuseInDemoMode } from './admit-upload.ts';
import { checkMarks } from './check-marks.ts';
import { checkTakes, chosenWorkflow } from './chosen-workflow.ts';
import { checkKey, fingerprintOf, jobOfReceipt, receiptOf } from './receipts.ts';
import { recordSubmission, type NewSubmission } from './record-submission.ts';
import { checkSpooled, type SpooledFile } from './spool-upload.ts';

export type AcceptPorts = QueuePorts &
  Pick<Ports, 'cases' | 'clock' | 'files' | 'jobs' | 'objects' | 'receipts' | 'settings' | 'transaction' | 'uploads'>;
/** With an `upload_id`, the file is that upload's. */
export type FileInput = SubmitJobInput & { readonly file: SpooledFile; readonly idempotency_key: string | null };
/** `replayed` when the key of the submission has led to the job before. */
export type AcceptedFile = SubmittedJob & { readonly replayed: boolean };

/** For how long it is remembered what an upload has led to. */
const outcomeMs = 86_400_000;

/**
 * Turns a spooled file into a job: checks it (resolved-platform 10.1, 6 to 14), answers with a
 * matching earlier job where there is one (3.5), else commits file and job and only then queues the
 * analysis. The spooled object stays only when no other has its bytes. A submission whose key was
 * received before is answered as it was then (10.2). Throws `conflict` for an upload that is used.
 */
export async function acceptFile(ports: AcceptPorts, actor: Actor, input: FileInput): Promise<AcceptedFile> {
  const recorded = await recordOnce(ports, actor, input).catch(async (error: unknown) => {
    // A reserved upload stays, so that a corrected submission needs no second sending.
    const stays = input.upload_id !== undefined || isUncertain(error);
    if (!stays) await ports.objects.delete(input.file.key);
    throw error;
  });
  const { record, reused, replayed, caseId } = recorded;
  await keepOneCopy(ports, record, input.file.key);
  if (replayed) await queueAgain(ports, record);
  else if (!reused) await queueJob(ports, record);
  return { ...submissionAnswer(record, { reused, caseId }), replayed };
}

/** A database that was lost at the commit may have committed: a job without its file is worse than a file without. */
function isUncertain(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

interface Recorded {
  readonly record: JobRecord;
  readonly reused: boolean;
  readonly replayed: boolean;
  readonly caseId: number | null;
}

/** Of two that come with one key at once, the later finds the receipt of the other. */
async function recordOnce(ports: AcceptPorts, actor: Actor, input: FileInput): Promise<Recorded> {
  try {
    return await replayOrRecord(ports, actor, input);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return replayOrRecord(ports, actor, input);
  }
}

async function replayOrRecord(ports: AcceptPorts, actor: Actor, input: FileInput): Promise<Recorded> {
  const submission = await check(ports, actor, input);
  const { marks } = submission;
  const replay = marks.receipt && (await replayOf(ports, actor, marks.receipt));
  if (replay) {
    const { record, reused } = replay;
    if (marks.upload) await ports.uploads.use({ ...marks.upload, jobId: record.job.id, reused });
    return replay;
  }
  const { reused, ...record } = await recordSubmission(ports, submission);
  return { record, reused, replayed: false, caseId: marks.caseId };
}

/** What a receipt with the key of the submission says; throws `key_reused` when it is of another. */
export async function replayOf(
  ports: Pick<Ports, 'jobs' | 'receipts'>,
  actor: Actor,
  asked: NewReceipt,
): Promise<Recorded | null> {
  const receipt = await ports.receipts.find(asked.userId, 'job', asked.key);
  if (!receipt) return null;
  if (receipt.fingerprint !== asked.fingerprint) {
    throw new AppError('key_reused', 'This Idempotency-Key was used for another file, name or options');
  }
  const { reused, caseId } = receipt;
  return { record: await jobOfReceipt(ports, actor, receipt), reused, replayed: true, caseId };
}

async function check(ports: AcceptPorts, actor: Actor, input: FileInput): Promise<NewSubmission> {
  await refuseInDemoMode(ports);
  const workflow = await chosenWorkflow(ports, input.workflow_id);
  await checkMarks(ports, actor, input);
  checkKey(actor, input.idempotency_key);
  const detectedType = detectLogType(input.file.head);
  const logType = effectiveType(input.log_type_override, detectedType);
  checkTakes(workflow, logType);
  const { key, fileName, sha256, sizeBytes } = input.file;
  const now = ports.clock.now();
  checkSpooled(input.file);
  const job = {
    workflowId: workflow.id,
    submittedBy: actor.kind === 'account' ? actor.userId : null,
    submitterIp: actor.ip,
    submittedName: fileName,
    logType,
    isPrivate: actor.kind === 'account' && input.is_private,
  };
  return {
    file: { originalName: fileName, storageKey: key, sha256, sizeBytes, detectedType, uploaderIp: actor.ip },
    job,
    reuse: input.force_resubmit
      ? null
      : { by: actor, answers: (newest) => isReusable(newest, actor, job) && isBy(newest, workflow) },
    marks: {
      receipt: receiptOf(actor, input),
      upload: input.upload_id === undefined ? null : uploadUse(input.upload_id, input, now),
      caseId: input.case_id,
      tags: input.tags,
      by: job.submittedBy,
      at: now,
    },
  };
}

function uploadUse(id: string, input: FileInput, at: Date): UploadUse {
  return { id, fingerprint: fingerprintOf(input), until: new Date(at.getTime() + outcomeMs) };
}

function effectiveType(override: string, detected: LogType): LogType {
  if (override === 'auto') return detected;
  const named = logTypes.find((type) => type === override);
  if (!named) throw new AppError('invalid_log_type', `log_type_override must be auto or one of ${logTypes.join(', ')}`);
  return named;
}

/** Whether an earlier job, which the submitter may see, answers this submission (3.5). */
function isReusable(job: Job, actor: Actor, wanted: NewSubmission['job']): boolean {
  return (
    (actor.kind === 'anonymous' || isSubmitter(job, actor)) &&
    job.isPrivate === wanted.isPrivate &&
    job.submittedName === wanted.submittedName &&
    job.logType === wanted.logType &&
    job.status !== 'failed' &&
    job.status !== 'cancelled'
  );
}

/** Whether a job was done by a workflow as it is now. */
function isBy(job: Job, { editedAt }: Workflow): boolean {
  return editedAt === null || job.createdAt >= editedAt;
}

/** Drops the new object when the bytes are stored already, and puts it in place of one that is lost. */
async function keepOneCopy({ files, objects }: AcceptPorts, { file }: JobRecord, newKey: string): Promise<void> {
  if (file.storageKey === newKey) return;
  if (await objects.exists(file.storageKey)) await objects.delete(newKey);
  else await files.moveTo(file.id, newKey);
}

/** Queues a job that was just committed; fails it, and throws `queue_unreachable`, when that is impossible. */
export async function queueJob(
  ports: QueuePorts & Pick<Ports, 'clock' | 'transaction'>,
  record: JobRecord,
): Promise<void> {
  try {
    await queueAnalysis(ports, record);
  } catch (cause) {
    const message = jobErrorTexts.queue_unreachable;
    const error = { code: 'queue_unreachable', message } as const;
    await moveJob(ports, record.job.id, { from: 'pending', to: 'failed', at: ports.clock.now(), error });
    throw new AppError('queue_unreachable', message, { cause });
  }
}

/** The failure for which a submission is sent again may have come between commit and queue. */
export async function queueAgain(ports: QueuePorts, record: JobRecord): Promise<void> {
  if (record.job.status === 'pending') await queueAnalysis(ports, record);
}

/** What a submitter is told of a job. */
export function submissionAnswer(
  { job, file }: JobRecord,
  { reused, caseId }: { readonly reused: boolean; readonly caseId: number | null },
): SubmittedJob {
  const duplicate = reused ? `?dup=1&file_id=${fileNumber(file.sha256)}&workflow_id=${job.workflowId}` : '';
  return { job_id: job.id, status: job.status, reused, job_url: `/jobs/${job.id}${duplicate}`, case_id: caseId };
}
