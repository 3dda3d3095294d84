import { AppError, canEditCase, canManageCase, canViewCase, type Actor, type Case } from '@svc/domain';
import type { TransactionPorts } from '../ports/transaction.ts';

/** What may be done to a case, by whom, and in whose words others are refused. */
const deeds = {
  view: { can: canViewCase, refusal: '' },
  edit: {
    can: canEditCase,
    refusal: 'Only the owner of the case, those named on it and administrators may change it',
  },
  manage: { can: canManageCase, refusal: 'Only the owner of the case and administrators may do this' },
} as const;

/**
 * The case, which nobody else changes or removes until the transaction ends. Throws `case_not_found` where the actor does
 * not see it, and `forbidden` where they may not do this to it.
 */
export async function heldCase(
  { cases }: Pick<TransactionPorts, 'cases'>,
  actor: Actor,
  id: number,
  deed: keyof typeof deeds,
): Promise<Case> {
  const found = (await cases.hold(id)) ? await cases.get(id) : null;
  if (found === null || !canViewCase(found, actor))
    throw new AppError('case_not_found', 'There is no such case, or it is not shared with you');
  const { can, refusal } = deeds[deed];
  if (!can(found, actor)) throw new AppError('forbidden', refusal);
  return found;
}
