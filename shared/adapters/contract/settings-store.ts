import type { SettingsStore } from '@svc/application/admin/settings-store.ts';
import { siteSettingDefaults } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';

/** What every store of settings does; `make` gives the same one as two processes have it, without any change. */
export function settingsStoreContract(make: () => Promise<readonly [SettingsStore, SettingsStore]>): void {
  describe('site settings', () => {
    let settings: SettingsStore;
    let elsewhere: SettingsStore;

    beforeEach(async () => {
      [settings, elsewhere] = await make();
    });

    it('are as they ship until they are changed', async () => {
      expect(await settings.current()).toEqual(siteSettingDefaults);
    });

    it('change in what is given, and in every process at once', async () => {
      const changed = { ...siteSettingDefaults, demoMode: true, maxUploadFiles: 7 };
      expect(await settings.change({ demoMode: true, maxUploadFiles: 7 })).toEqual(changed);
      expect(await elsewhere.current()).toEqual(changed);
      expect(await elsewhere.change({ demoMode: false })).toEqual({ ...changed, demoMode: false });
      expect(await settings.current()).toEqual({ ...changed, demoMode: false });
      expect(await settings.change({})).toEqual({ ...changed, demoMode: false });
    });

    it('keep a number, and nothing in its place', async () => {
      expect(await settings.change({ jobOutputRetentionDaysOverride: 0 })).toMatchObject({
        jobOutputRetentionDaysOverride: 0,
      });
      expect(await settings.change({ jobOutputRetentionDaysOverride: null })).toEqual(siteSettingDefaults);
    });

    it('are saved by several at once, each in what it gave', async () => {
      await Promise.all([
        settings.change({ showEntities: false, demoMode: true }),
        elsewhere.change({ demoMode: true, showProcessTree: false, maxFindingDetails: 3 }),
        settings.change({ maxFindingDetails: 3, showEntities: false }),
      ]);
      expect(await elsewhere.current()).toEqual({
        ...siteSettingDefaults,
        demoMode: true,
        maxFindingDetails: 3,
        showEntities: false,
        showProcessTree: false,
      });
    });
  });
}
