import type { InputOf, operations } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Ends a token for good. */
export async function revokeApiToken(
  { apiTokens, clock }: Pick<Ports, 'apiTokens' | 'clock'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.revokeApiToken>,
): Promise<void> {
  if (!(await apiTokens.revoke(id, clock.now()))) throw notFound('API token');
}
