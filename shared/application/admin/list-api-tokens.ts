import type { ApiToken } from '@svc/contracts';
import { tokenState } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** All tokens, newest first. */
export async function listApiTokens({ apiTokens, clock }: Pick<Ports, 'apiTokens' | 'clock'>): Promise<ApiToken[]> {
  const now = clock.now();
  return (await apiTokens.list()).map(({ token, creator }) => ({
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: [...token.scopes],
    state: tokenState(token, creator, now),
    creator: creator?.email ?? null,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }));
}
