import type { CommentTarget } from '@svc/domain';
import type { Discussed } from './comment-repository.ts';
import type { TransactionPorts } from '../ports/transaction.ts';

/** Keeps a thing as it is while it is commented on; false when it is gone. */
export function holdSubject(tx: TransactionPorts, { target, id }: Discussed): Promise<boolean> {
  return holders[target](tx, id);
}

const holders: Readonly<Record<CommentTarget, (tx: TransactionPorts, id: number) => Promise<boolean>>> = {
  job: async ({ jobs }, id) => (await jobs.hold([id])).length > 0,
  case: ({ cases }, id) => cases.hold(id),
  entity: async ({ entities }, id) => (await entities.hold([id])).length > 0,
};
