import type { SubmitJobInput } from '@svc/contracts';
import { AppError, hasRole, type Actor } from '@svc/domain';
import { visibleCase } from '../cases/visible-case.ts';
import type { Ports } from '../ports/ports.ts';

/**
 * Holds the case and the tags of a submission against its caller (resolved-platform 10.1, check 9, and
 * service 5.3): both are for members, and a token needs `case:write` for a case.
 */
export async function checkMarks(
  ports: Pick<Ports, 'cases'>,
  actor: Actor,
  { case_id: caseId, tags }: Pick<SubmitJobInput, 'case_id' | 'tags'>,
): Promise<void> {
  if (caseId !== null) {
    if (actor.kind === 'account' && actor.token && !actor.token.scopes.includes('case:write')) {
      throw new AppError('missing_scope', 'Putting a job in a case needs the scope case:write');
    }
    if (!hasRole(actor, 'member')) throw new AppError('forbidden', 'Cases are for members; submit without a case');
    await visibleCase(ports, actor, caseId);
  }
  if (tags.length > 0 && !hasRole(actor, 'member')) {
    throw new AppError('forbidden', 'Tags are for members; submit without tags');
  }
}
