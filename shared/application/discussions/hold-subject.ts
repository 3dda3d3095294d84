import type { Discussed } from './comment-repository.ts';
import type { TransactionPorts } from '../ports/transaction.ts';

/** Keeps a thing as it is while it is commented on; false when it is gone. */
export async function holdSubject({ cases, jobs }: TransactionPorts, { target, id }: Discussed): Promise<boolean> {
  return target === 'case' ? cases.hold(id) : (await jobs.hold([id])).length > 0;
}
