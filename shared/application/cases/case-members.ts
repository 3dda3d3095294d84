import type { CaseMember, InputOf, operations } from '@svc/contracts';
import { publicName, type Account, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

const mostOffered = 20;

/** Members who can be named on a case, by name. */
export async function pickCaseMembers(
  { accounts }: Pick<Ports, 'accounts'>,
  _actor: Actor,
  { q }: InputOf<typeof operations.pickCaseMembers>,
): Promise<CaseMember[]> {
  const text = q.trim().toLowerCase();
  return (await accounts.list())
    .filter(mayWork)
    .map(asMember)
    .filter(({ name }) => name.toLowerCase().includes(text))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .slice(0, mostOffered);
}

/** Whether the account can be named on a case. */
export function mayWork({ isActive, role }: Pick<Account, 'isActive' | 'role'>): boolean {
  return isActive && role !== 'user';
}

/** Those of these accounts that there are, in this order. */
export async function namesOf({ accounts }: Pick<Ports, 'accounts'>, ids: readonly string[]): Promise<CaseMember[]> {
  const found: CaseMember[] = [];
  for (const id of ids) {
    const account = await accounts.get(id);
    if (account !== null) found.push(asMember(account));
  }
  return found;
}

export function asMember(account: Account): CaseMember {
  return { id: account.id, name: publicName(account) };
}
