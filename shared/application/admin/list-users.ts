import type { operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../ports/ports.ts';
import { presentUser } from '../auth/present-user.ts';

/** All accounts, by address. */
export async function listUsers({ accounts }: Pick<Ports, 'accounts'>): Promise<OutputOf<typeof operations.listUsers>> {
  return { users: (await accounts.list()).map(presentUser) };
}
