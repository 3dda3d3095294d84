import type { Ports } from '@svc/application/ports/ports.ts';
import type { NewPackVersion } from '@svc/application/rules/rule-pack-repository.ts';
import { beforeEach, describe, expect, it } from 'vitest';

const at = new Date('2026-08-05T10:00:00Z');

const version = (last: number, over: Partial<NewPackVersion> = {}): NewPackVersion => ({
  name: 'sigmahq',
  url: null,
  version: `r${last}`,
  digest: String(last).padStart(64, '0'),
  source: 'sigma.zip',
  licence: 'DRL 1.1',
  loaded: 10 + last,
  rejected: 1,
  retired: 0,
  warnings: 2,
  datedAt: '2026-08-01',
  importedAt: at,
  importedBy: null,
  filesKey: `packs/${last}.gz`,
  reportKey: `packs/${last}.json`,
  ...over,
});

/** What every repository of rule packs, and of compiled rules, does. `make` gives empty ones. */
export function rulePackRepositoryContract(make: () => Promise<Pick<Ports, 'ruleArtifacts' | 'rulePacks'>>): void {
  describe('rule packs', () => {
    let packs: Ports['rulePacks'];
    let artifacts: Ports['ruleArtifacts'];

    beforeEach(async () => {
      ({ rulePacks: packs, ruleArtifacts: artifacts } = await make());
    });

    it('have one version in force, the last that was put there', async () => {
      expect(await packs.putInForce(version(1))).toEqual({ put: true, removed: [] });
      expect(await packs.putInForce(version(2, { url: 'https://x.example/p.zip' }))).toEqual({
        put: true,
        removed: [],
      });
      await packs.putInForce(version(3, { name: 'core' }));
      const all = await packs.list();
      expect(all.map(({ pack }) => [pack.name, pack.inForce.version, pack.url, pack.enabled])).toEqual([
        ['core', 'r3', null, true],
        ['sigmahq', 'r2', 'https://x.example/p.zip', true],
      ]);
      const { name: _name, url: _url, ...second } = version(2);
      expect(all[1]!.pack).toMatchObject({ checkedAt: at, checkError: null, inForce: second });
      expect((await packs.versions('sigmahq')).map((one) => one.version)).toEqual(['r2', 'r1']);
      expect(await packs.versions('none')).toEqual([]);
    });

    it('take a content once, and again when another has taken its place', async () => {
      await packs.putInForce(version(1));
      expect(await packs.putInForce(version(1, { filesKey: 'packs/x.gz' }))).toEqual({ put: false, removed: [] });
      await packs.putInForce(version(2));
      const { put, removed } = await packs.putInForce(version(1, { filesKey: 'packs/y.gz' }));
      expect([put, removed.map(({ filesKey }) => filesKey)]).toEqual([true, ['packs/1.gz']]);
      expect((await packs.versions('sigmahq')).map(({ filesKey }) => filesKey)).toEqual(['packs/y.gz', 'packs/2.gz']);
    });

    it('keep five versions, and tell which went', async () => {
      for (let last = 1; last <= 5; last++) await packs.putInForce(version(last));
      const { removed } = await packs.putInForce(version(6));
      expect(removed.map((one) => one.version)).toEqual(['r1']);
      expect(await packs.versions('sigmahq')).toHaveLength(5);
    });

    it('go back to a version that is kept, and can be switched off', async () => {
      await packs.putInForce(version(1));
      await packs.putInForce(version(2));
      const [, first] = await packs.versions('sigmahq');
      expect(await packs.change('sigmahq', { inForce: first!.id, enabled: false })).toBe(true);
      const checked = { at: new Date('2026-08-06T00:00:00Z'), error: 'no answer' };
      expect(await packs.change('sigmahq', { url: 'https://x.example', checked })).toBe(true);
      const [entry] = await packs.list();
      expect(entry!.pack).toMatchObject({ enabled: false, url: 'https://x.example', checkError: 'no answer' });
      expect(entry!.pack.inForce.version).toBe('r1');
      expect(await packs.change('sigmahq', { inForce: 999_999 })).toBe(false);
      expect(await packs.change('none', { enabled: true })).toBe(false);
    });

    it('keep what was decided about their rules through new versions', async () => {
      await packs.putInForce(version(1));
      expect(await packs.override('sigmahq', 'b', { enabled: true, level: 'low' })).toBe(true);
      expect(await packs.override('sigmahq', 'a', { enabled: true, level: 'high' })).toBe(true);
      expect(await packs.override('sigmahq', 'a', { enabled: false, level: null })).toBe(true);
      expect(await packs.override('none', 'a', { enabled: false, level: null })).toBe(false);
      await packs.putInForce(version(2));
      expect((await packs.list())[0]!.overrides).toEqual([
        { ruleId: 'a', enabled: false, level: null },
        { ruleId: 'b', enabled: true, level: 'low' },
      ]);
      await packs.override('sigmahq', 'a', null);
      expect((await packs.list())[0]!.overrides).toHaveLength(1);
    });

    it('are removed with all they have', async () => {
      await packs.putInForce(version(1));
      await packs.override('sigmahq', 'a', { enabled: false, level: null });
      await expect(packs.remove('sigmahq', 'f'.repeat(64))).rejects.toMatchObject({ code: 'conflict' });
      expect((await packs.remove('sigmahq', version(1).digest))?.map(({ filesKey }) => filesKey)).toEqual([
        'packs/1.gz',
      ]);
      expect(await packs.remove('sigmahq')).toBeNull();
      expect(await packs.list()).toEqual([]);
      await packs.putInForce(version(1));
      expect((await packs.list())[0]!.overrides).toEqual([]);
    });

    it('are compiled once: the first of two stays', async () => {
      const digest = 'a'.repeat(64);
      expect(await artifacts.find(digest)).toBeNull();
      const first = { digest, storageKey: 'packs/a.rules', loaded: 3 };
      expect(await artifacts.add(first, at)).toEqual(first);
      expect(await artifacts.add({ ...first, storageKey: 'packs/b.rules' }, at)).toEqual(first);
      expect(await artifacts.find(digest)).toEqual(first);
      expect(await artifacts.removeOld(at)).toEqual([]);
      expect(await artifacts.removeOld(new Date(at.getTime() + 1))).toEqual([first]);
      await artifacts.add(first, at);
      await artifacts.remove(digest);
      expect(await artifacts.find(digest)).toBeNull();
    });
  });
}
