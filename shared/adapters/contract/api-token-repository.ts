import type { Ports } from '@svc/application/ports/ports.ts';
import { beforeEach, describe, expect, it } from 'vitest';

type TokenPorts = Pick<Ports, 'accounts' | 'apiTokens'>;

/** What every repository of API tokens does. `make` gives an empty one. */
export function apiTokenRepositoryContract(make: () => Promise<TokenPorts>): void {
  describe('API tokens', () => {
    let ports: TokenPorts;
    let creatorId: string;
    const create = (digest: string) =>
      ports.apiTokens.create({
        name: 'feed',
        prefix: 'svc_abcd',
        digest: digest.repeat(64),
        scopes: ['job:read', 'job:submit'],
        creatorId,
        expiresAt: null,
      });
    beforeEach(async () => {
      ports = await make();
      const account = { email: 'ada@example.org', passwordHash: 'hash', role: 'admin', displayName: null } as const;
      ({ id: creatorId } = await ports.accounts.create(account));
      await ports.accounts.create({ ...account, email: 'root@example.org' });
    });

    it('are found by the digest of their secret, with their creator', async () => {
      const token = await create('a');
      await create('b');
      expect(token).toMatchObject({ name: 'feed', scopes: ['job:read', 'job:submit'], revokedAt: null });
      expect(await ports.apiTokens.findByDigest('a'.repeat(64))).toEqual({
        token,
        creator: { id: creatorId, email: 'ada@example.org', role: 'admin', isActive: true },
      });
      expect(await ports.apiTokens.findByDigest('c'.repeat(64))).toBeNull();
    });

    it('are listed newest first, and outlive their creator', async () => {
      const ids = [await create('a'), await create('b')].map(({ id }) => id);
      await ports.accounts.delete(creatorId);
      const listed = await ports.apiTokens.list();
      expect(listed.map(({ token }) => token.id)).toEqual(ids.toReversed());
      expect(listed.map(({ creator }) => creator)).toEqual([null, null]);
    });

    it('are revoked once', async () => {
      const { id } = await create('a');
      const at = new Date('2026-03-01T10:00:00Z');
      expect(await ports.apiTokens.revoke(id, at)).toBe(true);
      expect(await ports.apiTokens.revoke(id, new Date())).toBe(true);
      expect((await ports.apiTokens.list())[0]!.token.revokedAt).toEqual(at);
      expect(await ports.apiTokens.revoke(id + 1, at)).toBe(false);
    });

    it('are removed when they were revoked before a time', async () => {
      const [old, recent, live] = [await create('a'), await create('b'), await create('c')];
      await ports.apiTokens.revoke(old.id, new Date('2026-03-01T10:00:00Z'));
      await ports.apiTokens.revoke(recent.id, new Date('2026-03-01T10:00:01Z'));
      expect(await ports.apiTokens.removeRevoked(new Date('2026-03-01T10:00:01Z'))).toBe(1);
      expect((await ports.apiTokens.list()).map(({ token }) => token.id)).toEqual([live.id, recent.id]);
    });

    it('remember their last use to the minute', async () => {
      const { id } = await create('a');
      const used = async (time: string): Promise<string | undefined> => {
        await ports.apiTokens.touch(id, new Date(time));
        return (await ports.apiTokens.list())[0]!.token.lastUsedAt?.toISOString();
      };
      expect(await used('2026-03-01T10:00:00.000Z')).toBe('2026-03-01T10:00:00.000Z');
      expect(await used('2026-03-01T10:00:59.000Z')).toBe('2026-03-01T10:00:00.000Z');
      expect(await used('2026-03-01T10:01:01.000Z')).toBe('2026-03-01T10:01:01.000Z');
    });
  });
}
