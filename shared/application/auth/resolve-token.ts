import { AppError, tokenState, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { digestOf } from './digest.ts';

/** The account that a token acts as; throws `bad_token` for any that does not work (resolved-platform 14.4). */
export async function resolveToken(
  { apiTokens, clock }: Pick<Ports, 'apiTokens' | 'clock'>,
  { secret, ip }: { secret: string; ip: string },
): Promise<Actor> {
  const now = clock.now();
  const found = await apiTokens.findByDigest(digestOf(secret));
  if (!found?.creator || tokenState(found.token, found.creator, now) !== 'active') {
    throw new AppError('bad_token', 'The API token is not valid');
  }
  const { token, creator } = found;
  await apiTokens.touch(token.id, now);
  const { prefix, scopes } = token;
  return {
    kind: 'account',
    userId: creator.id,
    email: creator.email,
    role: creator.role,
    ip,
    token: { prefix, scopes },
  };
}
