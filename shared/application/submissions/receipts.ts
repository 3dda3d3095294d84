import type { SubmitJobInput } from '@svc/contracts';
import { AppError, canView, type Actor } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { JobRecord } from '../jobs/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { NewReceipt, Receipt } from './receipt-repository.ts';
import type { SpooledFile } from './spool-upload.ts';

type Keyed = SubmitJobInput & {
  readonly file: Pick<SpooledFile, 'fileName' | 'sha256'>;
  readonly idempotency_key: string | null;
};

/** Throws `bad_key` for a key that is none, and 401 for one of a visitor, whose it would be is unknown. */
export function checkKey(actor: Actor, key: string | null): void {
  if (key === null) return;
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) {
    throw new AppError('bad_key', 'Idempotency-Key must be 1 to 128 printable ASCII characters without blanks');
  }
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Sign in to use an Idempotency-Key');
}

/** The receipt that a submission asks for; null without a key. Tags are not part of its options (10.1). */
export function receiptOf(actor: Actor, input: Keyed): NewReceipt | null {
  const { idempotency_key: key } = input;
  if (key === null || actor.kind === 'anonymous') return null;
  return { userId: actor.userId, key, fingerprint: fingerprintOf(input) };
}

/** What tells one submission from another: content and options (resolved-platform 10.1). */
export function fingerprintOf(input: Omit<Keyed, 'idempotency_key'>): string {
  const { sha256, fileName } = input.file;
  const parts = [
    sha256,
    fileName,
    input.workflow_id,
    input.log_type_override,
    input.force_resubmit,
    input.is_private,
    input.case_id,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The job that a receipt is about; throws `job_gone` when there is none any more that the caller may see. */
export async function jobOfReceipt(
  { jobs }: Pick<Ports, 'jobs'>,
  actor: Actor,
  { jobId }: Pick<Receipt, 'jobId'>,
): Promise<JobRecord> {
  const record = jobId === null ? null : await jobs.get(jobId);
  if (record && canView(record.job, actor)) return record;
  throw new AppError('job_gone', 'The job of this submission was deleted');
}
