import type { operations, OutputOf } from '@svc/contracts';
import { settingsForm, type SettingsPorts } from './site-settings-form.ts';

/** Settings of the whole site, for administrators. */
export async function getSiteSettings(ports: SettingsPorts): Promise<OutputOf<typeof operations.getSiteSettings>> {
  return settingsForm(ports, await ports.settings.current());
}
