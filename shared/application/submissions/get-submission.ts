import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { submissionAnswer } from './accept-file.ts';
import { checkKey, jobOfReceipt } from './receipts.ts';

/** What a submission with this key was answered; throws `no_receipt` or `job_gone`. */
export async function getSubmission(
  ports: Pick<Ports, 'jobs' | 'receipts'>,
  actor: Actor,
  { key }: InputOf<typeof operations.getSubmission>,
): Promise<OutputOf<typeof operations.getSubmission>> {
  checkKey(actor, key);
  const receipt = actor.kind === 'account' ? await ports.receipts.find(actor.userId, 'job', key) : null;
  if (!receipt) throw new AppError('no_receipt', 'No submission with this key is committed yet');
  return submissionAnswer(await jobOfReceipt(ports, actor, receipt), receipt);
}
