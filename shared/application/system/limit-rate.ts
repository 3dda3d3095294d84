import type { RateLimit } from '@svc/contracts';
import { type Actor, AppError, networkOf } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';

/** Who makes a request, as far as it is known before its credentials are judged. */
export interface Caller {
  readonly actor: Actor;
  /** The bearer token sent, valid or not; null without one. */
  readonly token: string | null;
}

/** `wrong_token` counts requests with an invalid token, for all operations together. */
type Limit = RateLimit | 'wrong_token';

/** Counts a request against a limit (resolved-platform 15.4); throws `rate_limited`. */
export async function limitRate(
  { rateLimiter, deployment }: Pick<Ports, 'rateLimiter' | 'deployment'>,
  limit: Limit,
  caller: Caller,
): Promise<void> {
  const { bucket, perMinute } = bucketOf(limit, caller, deployment.rateLimits);
  if (perMinute === 0 || (await rateLimiter.take(bucket, perMinute))) return;
  throw new AppError('rate_limited', `More than ${perMinute} such requests within a minute; try again in a minute`);
}

function bucketOf(
  limit: Limit,
  { actor, token }: Caller,
  limits: Ports['deployment']['rateLimits'],
): { bucket: string; perMinute: number } {
  const network = networkOf(actor.ip);
  switch (limit) {
    case 'api': {
      const caller = token === null ? `ip:${network}` : `token:${digest(token)}`;
      return { bucket: `api:${caller}`, perMinute: limits.api };
    }
    case 'comment':
      return { bucket: `comment:${actor.kind === 'account' ? actor.userId : network}`, perMinute: limits.comment };
    case 'login':
      return { bucket: `login:ip:${network}`, perMinute: limits.login };
    case 'preview':
      return { bucket: `detect:${network}`, perMinute: limits.preview };
    case 'resubmit':
      return { bucket: `resubmit:ip:${network}`, perMinute: limits.resubmit };
    case 'slot': {
      // One for each file, as for its submission, in a bucket of its own: no file counts twice.
      const { bucket, perMinute } = bucketOf('upload', { actor, token }, limits);
      return { bucket: `slot:${bucket}`, perMinute };
    }
    case 'token':
      return { bucket: `api:token:${digest(token ?? '')}`, perMinute: token === null ? 0 : limits.api };
    case 'upload':
      return actor.kind === 'account'
        ? { bucket: `upload:account:${actor.userId}`, perMinute: limits.accountUpload }
        : { bucket: `upload:${network}`, perMinute: limits.anonymousUpload };
    case 'wrong_token':
      return { bucket: `api:wrong:${network}`, perMinute: limits.api };
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
