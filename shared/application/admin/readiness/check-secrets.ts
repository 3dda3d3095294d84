import type { ReadinessCheck } from '@svc/domain';
import { commonPasswords } from '../../auth/password-policy.ts';
import type { Ports } from '../../ports/ports.ts';

const section = 'Configuration';
const mostNamed = 5;
/** For all administrators together; the next run goes on. */
const lookMs = 3000;

/** Whether a hash is that of a known default, which never changes: each costs a second of a processor to find out. */
const known = new Map<string, boolean>();

export async function checkDefaultPasswords(
  ports: Pick<Ports, 'passwords' | 'siteOverview'>,
): Promise<readonly ReadinessCheck[]> {
  const check = { section, name: 'Default passwords' } as const;
  const admins = await ports.siteOverview.admins();
  const end = performance.now() + lookMs;
  const bad: string[] = [];
  let unknown = 0;
  for (const { email, passwordHash } of admins) {
    if (!known.has(passwordHash) && performance.now() >= end) unknown++;
    else if (await isDefault(ports, passwordHash)) bad.push(email);
  }
  const rest: ReadinessCheck[] =
    unknown === 0
      ? []
      : [
          {
            ...check,
            level: 'INFO',
            message: `${unknown} more administrators are looked at by the next run`,
            fix: null,
          },
        ];
  if (bad.length > 0) {
    const message = `${list(bad)} ${bad.length === 1 ? 'has' : 'have'} a password that everybody tries first`;
    return [
      { ...check, level: 'WARN', message, fix: 'Set others at Admin, Users, or by svc admin set-password' },
      ...rest,
    ];
  }
  if (admins.length === 0) {
    const fix = 'Run svc admin create-admin EMAIL';
    return [{ ...check, level: 'WARN', message: 'There is no active administrator', fix }];
  }
  return [{ ...check, level: 'PASS', message: 'No administrator has a known default', fix: null }, ...rest];
}

async function isDefault({ passwords }: Pick<Ports, 'passwords'>, hash: string): Promise<boolean> {
  const before = known.get(hash);
  if (before !== undefined) return before;
  let is = false;
  for (const password of commonPasswords) is ||= await passwords.verify(hash, password);
  known.set(hash, is);
  return is;
}

/** Opens every secret that is stored, as whoever needs it does. */
export async function checkSecrets({
  secretBox,
  siteOverview,
}: Pick<Ports, 'secretBox' | 'siteOverview'>): Promise<ReadinessCheck> {
  const check = { section, name: 'Stored secrets' } as const;
  const secrets = await siteOverview.secrets();
  const lost: string[] = [];
  for (const { of, place, sealed } of secrets) if ((await secretBox.open(sealed, place)) === null) lost.push(of);
  if (lost.length === 0) {
    const message = secrets.length === 0 ? 'None is stored' : `All ${secrets.length} open with the present keys`;
    return { ...check, level: 'PASS', message, fix: null };
  }
  return {
    ...check,
    level: 'WARN',
    message: `${lost.length} of ${secrets.length} cannot be opened and count as not set: that of ${list(lost)}`,
    fix: 'Set the key that sealed them as ENRICHMENT_ENCRYPTION_KEY_PREVIOUS and restart, or enter them again',
  };
}

function list(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
