import type { SubmitJobInput } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { UploadOutcome, UploadSlot } from './upload-repository.ts';
import {
  acceptFile,
  queueAgain,
  replayOf,
  submissionAnswer,
  type AcceptedFile,
  type AcceptPorts,
} from './accept-file.ts';
import { checkMarks } from './check-marks.ts';
import { checkKey, fingerprintOf, jobOfReceipt, receiptOf } from './receipts.ts';
import { markJob } from './record-submission.ts';
import { headBytes, type SpooledFile } from './spool-upload.ts';
import { findUpload } from './find-upload.ts';

/** A submission in either shape (resolved-platform 22): with its file, or with the upload it was sent to. */
export type SubmissionInput = SubmitJobInput & {
  /** Null with `upload_id`. */
  readonly file: SpooledFile | null;
  readonly idempotency_key: string | null;
};
type UploadInput = Omit<SubmissionInput, 'file'>;

/**
 * Makes a job of a submission in either shape. An upload is submitted once: whoever submits it again
 * with the same options, for lack of an answer, gets the job that it has led to, with or without an
 * idempotency key; with others `upload_used`.
 */
export async function acceptSubmission(
  ports: AcceptPorts,
  actor: Actor,
  { file, ...input }: SubmissionInput,
): Promise<AcceptedFile> {
  if (file) return acceptFile(ports, actor, { ...input, file });
  const slot = await findUpload(ports, actor, input.upload_id);
  if (slot.outcome) return repeatAnswer(ports, actor, input, slot, slot.outcome);
  try {
    return await acceptFile(ports, actor, { ...input, file: await sentFile(ports, slot) });
  } catch (error) {
    if (!(error instanceof AppError) || !['conflict', 'upload_incomplete'].includes(error.code)) throw error;
    // Of two that submit one upload at once, the later finds what the other has made of it.
    const used = await findUpload(ports, actor, slot.id);
    if (!used.outcome) throw error;
    return repeatAnswer(ports, actor, input, used, used.outcome);
  }
}

/** The file of an upload as if it had been spooled; throws `upload_incomplete`. */
async function sentFile({ objects }: Pick<Ports, 'objects'>, slot: UploadSlot): Promise<SpooledFile> {
  const { storageKey, fileName, sha256, sizeBytes } = slot;
  if (storageKey === null) throw incomplete();
  const reader = await objects.open(storageKey).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'upload_missing' ? incomplete(error) : error;
  });
  try {
    const head = new Uint8Array(Math.min(headBytes, reader.size));
    await reader.read(0, head);
    return { key: storageKey, fileName, sha256, sizeBytes, head, spooledAt: null };
  } finally {
    await reader.close();
  }
}

function incomplete(cause?: unknown): AppError {
  return new AppError('upload_incomplete', 'The bytes of this upload have not arrived; send them, then submit it', {
    cause,
  });
}

async function repeatAnswer(
  ports: AcceptPorts,
  actor: Actor,
  input: UploadInput,
  file: UploadSlot,
  outcome: UploadOutcome,
): Promise<AcceptedFile> {
  await checkMarks(ports, actor, input);
  checkKey(actor, input.idempotency_key);
  const submission = { ...input, file };
  const receipt = receiptOf(actor, submission);
  const replay = receipt && (await replayOf(ports, actor, receipt));
  if (replay) {
    await queueAgain(ports, replay.record);
    return { ...submissionAnswer(replay.record, replay), replayed: true };
  }
  if (outcome.fingerprint !== fingerprintOf(submission)) {
    throw new AppError('upload_used', 'This upload was submitted with other options; reserve a new one');
  }
  const record = await jobOfReceipt(ports, actor, outcome);
  const { job } = record;
  await queueAgain(ports, record);
  const caseId = input.case_id;
  const marks = { caseId, tags: [], by: actor.kind === 'account' ? actor.userId : null, at: ports.clock.now() };
  if (receipt) await markJob(ports, job.id, { ...marks, receipt, upload: null });
  return { ...submissionAnswer(record, { reused: outcome.reused, caseId }), replayed: true };
}
