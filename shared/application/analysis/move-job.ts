import { isTerminal, reportedStatuses } from '@svc/domain';
import { tell } from '../happenings/tell.ts';
import type { StatusChange } from '../jobs/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';

/**
 * Moves a job on if it is as the caller expects; false otherwise. One that ends closes its open tasks, gets its totals
 * and the decisions that its submitter has remembered, and is told of, in the same transaction.
 */
export function moveJob(
  { transaction }: Pick<Ports, 'transaction'>,
  id: number,
  change: StatusChange,
): Promise<boolean> {
  return transaction(async (tx) => {
    if (!(await tx.jobs.changeStatus(id, change))) return false;
    if (isTerminal(change.to)) await conclude(tx, id, change);
    return true;
  });
}

async function conclude(tx: TransactionPorts, id: number, { to, at, error }: StatusChange): Promise<void> {
  const status = to === 'cancelled' ? 'cancelled' : 'failed';
  await tx.results.closeTasks(id, { status, errorMessage: error?.message ?? null, at });
  await tx.jobs.conclude(id, await tx.results.totals(id), at);
  await tx.reviews.applyRemembered(id, at);
  const inCases = await tx.cases.ofJob(id);
  if (inCases.length > 0) await tx.cases.recount(inCases);
  if (reportedStatuses.includes(to)) await tx.rulePasses.await(id);
  await tell(tx, { kind: 'job_finished', subject: { kind: 'job', id }, by: null, at, status: to });
}
