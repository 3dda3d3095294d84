import type { Ports } from '../ports/ports.ts';

const keptMs = 90 * 86_400_000;

/** Forgets tokens 90 days after they were revoked (resolved-platform 14.4). Returns how many. */
export function removeRevokedTokens({ apiTokens, clock }: Pick<Ports, 'apiTokens' | 'clock'>): Promise<number> {
  return apiTokens.removeRevoked(new Date(clock.now().getTime() - keptMs));
}
