import type { AccountRepository } from '@svc/application/ports/account-repository.ts';
import { beforeEach, describe, expect, it } from 'vitest';

/** What every account repository does. `make` gives an empty one. */
export function accountRepositoryContract(make: () => Promise<AccountRepository>): void {
  describe('accounts', () => {
    let accounts: AccountRepository;
    const ada = { email: 'Ada@Example.org', passwordHash: 'hash', role: 'member', displayName: 'Ada' } as const;

    beforeEach(async () => {
      accounts = await make();
    });

    it('are found by id and by address, whatever its case', async () => {
      const account = await accounts.create(ada);
      expect(account).toEqual({ ...ada, id: account.id, isActive: true });
      expect(await accounts.get(account.id)).toEqual(account);
      expect(await accounts.findByEmail('ada@EXAMPLE.org')).toEqual(account);
      expect(await accounts.findByEmail('ad%@example.org')).toBeNull();
      expect(await accounts.get('00000000-0000-4000-8000-000000000000')).toBeNull();
    });

    it('have one owner an address', async () => {
      await accounts.create(ada);
      await expect(accounts.create({ ...ada, email: 'ada@example.org' })).rejects.toMatchObject({ code: 'conflict' });
    });

    it('know whether there is an administrator', async () => {
      await accounts.create(ada);
      expect(await accounts.hasActiveAdmin()).toBe(false);
      await accounts.create({ ...ada, email: 'root@example.org', role: 'admin' });
      expect(await accounts.hasActiveAdmin()).toBe(true);
    });
  });
}
