import type { SettingsStore } from '@svc/application/ports/settings-store.ts';
import { siteSettingDefaults } from '@svc/config';

/** The settings as they ship. */
export const defaultSettings: SettingsStore = { current: () => Promise.resolve(siteSettingDefaults) };
