import { AppError, networkOf, type Account } from '@svc/domain';
import { createHash } from 'node:crypto';
import type { Ports } from '../ports/ports.ts';

type LimitPorts = Pick<Ports, 'rateLimiter'>;
type SignInPorts = LimitPorts & Pick<Ports, 'clock' | 'deployment' | 'knownNetworks' | 'sessions'>;

interface Bucket {
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
}

const hour = 3600;
const quarter = 900;
/** How long, and how many, networks of an account are remembered. */
const knownMs = 30 * 86_400_000;
const mostKnown = 20;
/** Looked up in place of an account that does not exist, so that both take as long. */
const nobody = '00000000-0000-4000-8000-000000000000';

/** Whose password is tried at sign-in, and from where. */
export interface SignIn {
  readonly account: Account | null;
  readonly email: string;
  readonly ip: string;
}

/** How a sign-in is counted, and whether it comes from where its account was signed in before. */
export interface Standing {
  readonly isKnown: boolean;
  readonly buckets: readonly Bucket[];
}

/**
 * Wrong passwords count per network and per account: as many a minute as the limit of sign-ins says, five times as
 * many an hour. Who comes from a known network of the account has a count of their own, so that nobody can lock them
 * out by guessing. An address without an account is counted like any.
 */
export async function standingOf(ports: SignInPorts, { account, email, ip }: SignIn): Promise<Standing> {
  const { clock, deployment, knownNetworks } = ports;
  const digest = networkDigest(ports, account?.id ?? nobody, ip);
  const since = new Date(clock.now().getTime() - knownMs);
  const isKnown = await knownNetworks.has(account?.id ?? nobody, digest, since);
  const { login: perMinute } = deployment.rateLimits;
  if (perMinute === 0) return { isKnown, buckets: [] };
  const who = account?.id ?? createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
  const names = isKnown ? [`login:known:${digest}`] : [`login:net:${networkOf(ip)}`, `login:account:${who}`];
  const windows = [
    { limit: perMinute, seconds: 60 },
    { limit: perMinute * 5, seconds: hour },
  ];
  return { isKnown, buckets: names.flatMap((name) => windows.map((window) => ({ name, ...window }))) };
}

/** Remembers that an account was signed in from here. */
export async function rememberNetwork(ports: SignInPorts, { id }: Account, ip: string): Promise<void> {
  await ports.knownNetworks.remember(id, networkDigest(ports, id, ip), ports.clock.now(), mostKnown);
}

/** Limits of wrong passwords that a signed-in account gives; there is no setting for them. */
export function confirmationBuckets(accountId: string, ip: string): readonly Bucket[] {
  return [
    { name: `password:account:${accountId}`, limit: 10, seconds: quarter },
    { name: `password:net:${networkOf(ip)}`, limit: 30, seconds: quarter },
  ];
}

/**
 * Whether a guess is right. It is counted before it is made, as many are made at once, and taken back when it was
 * right or could not be judged. Throws `rate_limited` for one too many.
 */
export async function guess(
  { rateLimiter }: LimitPorts,
  buckets: readonly Bucket[],
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  for (const { name, limit, seconds } of buckets) {
    const counted = `${name}:${seconds}`;
    if (await rateLimiter.take(counted, limit, seconds)) continue;
    const retryAfter = Math.max(1, await rateLimiter.wait(counted));
    const minutes = Math.ceil(retryAfter / 60);
    const text = `Too many wrong passwords; try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
    throw new AppError('rate_limited', text, { retryAfter });
  }
  let isWrong = false;
  try {
    isWrong = !(await isRight());
    return !isWrong;
  } finally {
    if (!isWrong) for (const { name, seconds } of buckets) await rateLimiter.giveBack(`${name}:${seconds}`);
  }
}

/** Forgets networks that are known no more. Returns how many. */
export function removeKnownNetworks({ clock, knownNetworks }: Pick<Ports, 'clock' | 'knownNetworks'>): Promise<number> {
  return knownNetworks.removeBefore(new Date(clock.now().getTime() - knownMs));
}

function networkDigest({ sessions }: Pick<Ports, 'sessions'>, accountId: string, ip: string): string {
  return sessions.digest(`${accountId}\0${networkOf(ip)}`);
}
