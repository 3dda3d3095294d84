import type { Ports } from '@svc/application/ports/ports.ts';
import type { StoredSession } from '@svc/application/auth/session-store.ts';
import { beforeEach, describe, expect, it } from 'vitest';

type SessionPorts = Pick<Ports, 'accounts' | 'knownNetworks' | 'sessionStore'>;

const at = new Date('2026-08-01T10:00:00.000Z');
const after = (seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/** What is kept of sessions and of where they come from; `make` gives empty repositories. */
export function sessionStoreContract(make: () => Promise<SessionPorts>): void {
  describe('sessions', () => {
    let ports: SessionPorts;
    let ada: string;
    let eve: string;
    const account = { passwordHash: 'hash', role: 'member', displayName: null } as const;
    beforeEach(async () => {
      ports = await make();
      ada = (await ports.accounts.create({ ...account, email: 'ada@example.org' })).id;
      eve = (await ports.accounts.create({ ...account, email: 'eve@example.org' })).id;
    });

    async function begin(accountId: string, name: string, over: Partial<StoredSession> = {}, most = 9) {
      const times = { createdAt: at, lastUsedAt: at, confirmedAt: at };
      const id = name.padEnd(32, '0');
      const session = { id, accountId, ...times, client: 'Firefox on Linux', network: '192.0.2.0/24', ...over };
      await ports.sessionStore.create(session, most);
      return session;
    }
    const listed = async (accountId: string) =>
      (await ports.sessionStore.list(accountId, at)).map(({ id }) => id.replace(/0+$/, ''));

    it('are found with their account as it is now', async () => {
      const session = await begin(ada, 'a');
      const changed = await ports.accounts.update(ada, { displayName: 'Ada' });
      expect(await ports.sessionStore.find(session.id)).toEqual({ session, account: changed });
      const seen = { lastUsedAt: after(9), confirmedAt: after(8) };
      await ports.sessionStore.note(session.id, seen);
      expect((await ports.sessionStore.find(session.id))?.session).toEqual({ ...session, ...seen });
      expect(await ports.sessionStore.find('b'.repeat(32))).toBeNull();
    });

    it('are listed for their account, the last used first, and end one by one or all others at once', async () => {
      await begin(ada, 'a');
      await begin(ada, 'b', { lastUsedAt: after(5) });
      await begin(ada, 'c');
      await begin(ada, 'old', { createdAt: after(-1) });
      await begin(eve, 'e');
      expect(await listed(ada)).toEqual(['b', 'c', 'a']);
      expect(await ports.sessionStore.end(eve, 'a'.padEnd(32, '0'))).toBe(false);
      expect(await ports.sessionStore.end(ada, 'a'.padEnd(32, '0'))).toBe(true);
      expect(await ports.sessionStore.end(ada, 'a'.padEnd(32, '0'))).toBe(false);
      expect(await ports.sessionStore.endOthers(ada, 'c'.padEnd(32, '0'))).toBe(2);
      expect([await listed(ada), await listed(eve)]).toEqual([['c'], ['e']]);
    });

    it('are so many at most, and those go that were not used for longest', async () => {
      await begin(ada, 'a', { lastUsedAt: after(5) });
      await begin(ada, 'b');
      await begin(eve, 'e');
      await begin(ada, 'c', { lastUsedAt: after(9) }, 2);
      expect([await listed(ada), await listed(eve)]).toEqual([['c', 'a'], ['e']]);
    });

    it('are forgotten when their time is over', async () => {
      await begin(ada, 'a', { createdAt: after(-10) });
      await begin(ada, 'b');
      expect(await ports.sessionStore.removeExpired(at)).toBe(1);
      expect(await listed(ada)).toEqual(['b']);
    });

    it.each([
      ['a new password', { passwordHash: 'other' }, 0],
      ['another role', { role: 'user' }, 0],
      ['deactivation', { isActive: false }, 0],
      ['the same role', { role: 'member' }, 1],
      ['activation', { isActive: true }, 1],
      ['another name and address', { displayName: 'A', email: 'a@example.org' }, 1],
    ] as const)('after %s: %j leaves %i of the account, and those of others', async (_what, changes, left) => {
      await begin(ada, 'a');
      await begin(eve, 'e');
      await ports.accounts.update(ada, changes);
      expect([await listed(ada), await listed(eve)]).toEqual([left ? ['a'] : [], ['e']]);
    });

    it('go with their account', async () => {
      const { id } = await begin(ada, 'a');
      await ports.accounts.delete(ada);
      expect(await ports.sessionStore.find(id)).toBeNull();
    });

    it('come from networks that are remembered for a time, so many for an account', async () => {
      const { knownNetworks } = ports;
      const known = async (who: string, names: string, since = at) =>
        Promise.all(names.split('').map((name) => knownNetworks.has(who, name.repeat(43), since)));
      await knownNetworks.remember(ada, 'a'.repeat(43), at, 2);
      await knownNetworks.remember(ada, 'b'.repeat(43), after(1), 2);
      await knownNetworks.remember(eve, 'a'.repeat(43), at, 2);
      expect(await known(ada, 'abc')).toEqual([true, true, false]);
      await knownNetworks.remember(ada, 'a'.repeat(43), after(2), 2);
      await knownNetworks.remember(ada, 'c'.repeat(43), after(3), 2);
      expect(await known(ada, 'abc')).toEqual([true, false, true]);
      expect(await known(ada, 'ac', after(3))).toEqual([false, true]);
      expect(await knownNetworks.removeBefore(after(1))).toBe(1);
      expect([await known(ada, 'ac'), await known(eve, 'a')]).toEqual([[true, true], [false]]);
    });
  });
}
