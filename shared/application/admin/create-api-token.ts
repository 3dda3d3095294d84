import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, scopes as known, type Actor } from '@svc/domain';
import { randomBytes } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';
import { digestOf } from '../auth/digest.ts';

const dayMs = 86_400_000;

/** Creates a token that acts as the caller; its secret is in the answer and nowhere else. */
export async function createApiToken(
  { apiTokens, clock }: Pick<Ports, 'apiTokens' | 'clock'>,
  actor: Actor,
  { name, scopes: asked, expires_in_days: days }: InputOf<typeof operations.createApiToken>,
): Promise<OutputOf<typeof operations.createApiToken>> {
  if (actor.kind !== 'account') throw new AppError('unauthenticated', 'Sign in first');
  const scopes = known.filter((scope) => asked.includes(scope));
  if (scopes.length === 0) throw new AppError('bad_request', `scopes: give at least one of ${known.join(', ')}`);
  const secret = `svc_${randomBytes(32).toString('base64url')}`;
  const expiresAt = days === null ? null : new Date(clock.now().getTime() + days * dayMs);
  const prefix = secret.slice(0, 8);
  const { id } = await apiTokens.create({
    name,
    prefix,
    digest: digestOf(secret),
    scopes,
    creatorId: actor.userId,
    expiresAt,
  });
  return { id, prefix, scopes, expires_at: expiresAt?.toISOString() ?? null, token: secret };
}
