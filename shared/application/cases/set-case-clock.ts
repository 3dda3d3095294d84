import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, canEditCase, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { visibleMembers } from './visible-members.ts';

/** Says how far the clock of a job's host was off: whoever may edit the case says it for all who see it. */
export async function setCaseClock(
  ports: Pick<Ports, 'cases' | 'caseTimelines' | 'clock' | 'transaction'>,
  actor: Actor,
  { id, job, clock_offset: seconds }: InputOf<typeof operations.setCaseClock>,
): Promise<OutputOf<typeof operations.setCaseClock>> {
  const { found } = await visibleMembers(ports, actor, { id, job });
  if (!canEditCase(found, actor)) {
    throw new AppError('forbidden', 'Clocks are set by the owner of the case, who works on it, and administrators');
  }
  const at = ports.clock.now();
  await ports.transaction(async (tx) => {
    if (!(await tx.cases.hold(id)) || !(await tx.cases.setClock(id, job, seconds))) throw notFound('job in this case');
    await tx.cases.touch([id], at);
  });
  return { clock_offset: seconds };
}
