import { notFound, type Actor, type Job, type UploadedFile } from '@svc/domain';
import { tell } from '../happenings/tell.ts';
import type { NewFile } from './file-repository.ts';
import type { JobRecord, NewJob } from '../jobs/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { NewReceipt } from './receipt-repository.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import type { UploadUse } from './upload-repository.ts';
import { tellOfTags } from '../tags/give-tags.ts';

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

/** A file and its job, committed together. */
export interface NewSubmission {
  /** Or the id of one that is there. */
  readonly file: NewFile | { readonly id: number };
  readonly job: Omit<NewJob, 'fileId' | 'sha256' | 'at'>;
  /**
   * Whether the newest job of the workflow on these bytes that the submitter may see answers the submission; null to
   * have a new one anyway.
   */
  readonly reuse: { readonly by: Actor; answers(newest: Job): boolean } | null;
  readonly marks: SubmissionMarks;
}

/**
 * In one transaction: the file, a pending job unless an earlier one is `reused` (resolved-platform 3.5), and the marks.
 * Submissions of the same bytes take turns. Throws `conflict` when the receipt's key is taken or the upload used,
 * `not_found` when a file that is named by its id is gone.
 */
export function recordSubmission(
  { transaction }: Pick<Ports, 'transaction'>,
  { file: sent, job: wanted, reuse, marks }: NewSubmission,
): Promise<JobRecord & { readonly reused: boolean }> {
  const { by, at } = marks;
  return transaction(async (tx) => {
    // Held until the end: whoever comes with the same bytes meanwhile sees the job made here.
    const file = 'id' in sent ? await presentFile(tx, sent.id) : await tx.files.keep(sent, at);
    const { id: fileId, sha256 } = file;
    const newest = reuse && (await tx.jobs.newestSeen(reuse.by, { fileId, workflowId: wanted.workflowId }));
    if (newest && reuse.answers(newest)) {
      await leaveOnEarlier(tx, newest.id, marks);
      return { job: newest, file, reused: true };
    }
    const job = await tx.jobs.create({ ...wanted, fileId, sha256, at });
    await leave(tx, job.id, { ...marks, reused: false });
    await tell(tx, { kind: 'job_submitted', subject: { kind: 'job', id: job.id }, by, at });
    return { job, file, reused: false };
  });
}

/** Leaves the marks of a submission that only repeats one; throws `conflict` as `recordSubmission` does. */
export function markJob(
  { transaction }: Pick<Ports, 'transaction'>,
  jobId: number,
  marks: SubmissionMarks,
): Promise<void> {
  return transaction((tx) => leaveOnEarlier(tx, jobId, marks));
}

async function presentFile({ files }: TransactionPorts, id: number): Promise<UploadedFile> {
  const file = await files.hold(id);
  if (!file) throw notFound('file');
  return file;
}

/** Others may be told of what is left on a job that is there already: somebody may watch it. */
async function leaveOnEarlier(tx: TransactionPorts, jobId: number, marks: SubmissionMarks): Promise<void> {
  if (marks.tags.length > 0) await tx.jobs.hold([jobId]);
  const links = await leave(tx, jobId, { ...marks, reused: true });
  await tellOfTags(tx, links, marks);
}

/** Writes receipt, use of the upload, case link and tags of a submission; returns the links of new tags. */
async function leave(
  tx: TransactionPorts,
  jobId: number,
  { receipt, upload, caseId, tags, by, at, reused }: SubmissionMarks & { readonly reused: boolean },
): ReturnType<TransactionPorts['tags']['add']> {
  if (receipt) await tx.receipts.add('job', { ...receipt, jobId, caseId, reused });
  if (upload) await tx.uploads.use({ ...upload, jobId, reused });
  if (caseId !== null) await tx.cases.link(caseId, { jobId, by, at });
  if (tags.length === 0) return [];
  const wanted = tags.map((name) => ({ name, color: null }));
  const links = await tx.tags.add(wanted, { jobIds: [jobId], by, at });
  await tx.jobs.mark([jobId]);
  return links;
}
