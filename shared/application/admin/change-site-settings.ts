import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { settingsOf } from '../system/site-setting-names.ts';
import { settingsForm, type SettingsPorts } from './site-settings-form.ts';

/** Changes the settings that are named; every process goes by them from its next request on. */
export async function changeSiteSettings(
  ports: SettingsPorts,
  input: InputOf<typeof operations.changeSiteSettings>,
): Promise<OutputOf<typeof operations.changeSiteSettings>> {
  return settingsForm(ports, await ports.settings.change(settingsOf(input)));
}
