import { AppError, canViewCase, type Actor, type Case } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** The case, if the actor may see it; otherwise throws `case_not_found`, whether it exists or not. */
export async function visibleCase({ cases }: Pick<Ports, 'cases'>, actor: Actor, id: number): Promise<Case> {
  const found = await cases.get(id);
  if (found && canViewCase(found, actor)) return found;
  throw new AppError('case_not_found', 'There is no such case, or it is not shared with you');
}
