import type { AccountRepository } from '@svc/application/auth/account-repository.ts';
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
      expect(account).toEqual({
        ...ada,
        id: account.id,
        isActive: true,
        sendAtOnce: false,
        createdAt: expect.any(Date) as Date,
      });
      expect(await accounts.get(account.id)).toEqual(account);
      expect(await accounts.findByEmail('ada@EXAMPLE.org')).toEqual(account);
      expect(await accounts.findByEmail('ad%@example.org')).toBeNull();
      expect(await accounts.get('00000000-0000-4000-8000-000000000000')).toBeNull();
    });

    it('have one owner an address', async () => {
      await accounts.create(ada);
      await expect(accounts.create({ ...ada, email: 'ada@example.org' })).rejects.toMatchObject({
        code: 'email_taken',
      });
    });

    it('know whether there is an administrator', async () => {
      await accounts.create(ada);
      expect(await accounts.hasActiveAdmin()).toBe(false);
      await accounts.create({ ...ada, email: 'root@example.org', role: 'admin' });
      expect(await accounts.hasActiveAdmin()).toBe(true);
    });

    it('are listed by address, whatever its case', async () => {
      for (const email of ['b@example.org', 'A@example.org', 'c@example.org']) await accounts.create({ ...ada, email });
      expect((await accounts.list()).map(({ email }) => email[0])).toEqual(['A', 'b', 'c']);
    });

    it('change in what is given', async () => {
      const { id } = await accounts.create(ada);
      expect(await accounts.update(id, { displayName: null, isActive: false })).toMatchObject({
        email: ada.email,
        displayName: null,
        isActive: false,
      });
      await accounts.create({ ...ada, email: 'eve@example.org' });
      expect(await accounts.update(id, {})).toMatchObject({ id, displayName: null, isActive: false });
      await expect(accounts.update(id, { email: 'EVE@example.org' })).rejects.toMatchObject({ code: 'email_taken' });
      expect(await accounts.get(id)).toMatchObject({ email: ada.email });
      expect(await accounts.update('00000000-0000-4000-8000-000000000000', { displayName: 'x' })).toBeNull();
    });

    it('never lose their last administrator, not even two at once', async () => {
      const [one, two] = await Promise.all(
        ['one', 'two'].map((name) => accounts.create({ ...ada, email: `${name}@example.org`, role: 'admin' })),
      );
      const ends = await Promise.allSettled([
        accounts.update(one!.id, { role: 'member' }),
        accounts.update(two!.id, { isActive: false }),
        accounts.delete(two!.id),
      ]);
      expect(await accounts.hasActiveAdmin()).toBe(true);
      expect(ends.map((end) => end.status === 'rejected' && (end.reason as { code: unknown }).code)).toContain(
        'last_admin',
      );
    });

    it('go, once', async () => {
      const { id } = await accounts.create(ada);
      expect(await accounts.delete(id)).toBe(true);
      expect(await accounts.delete(id)).toBe(false);
      expect(await accounts.get(id)).toBeNull();
    });
  });
}
