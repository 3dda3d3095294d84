import type { NewHappening } from '@svc/contracts/happenings.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { consumersOf } from './consumers.ts';

/**
 * Writes what a use case has done, in its transaction, which holds the subjects; whom it concerns learns of it after the
 * commit.
 */
export function tell({ happenings }: Pick<TransactionPorts, 'happenings'>, ...happened: NewHappening[]): Promise<void> {
  return happenings.add(happened, consumersOf);
}
