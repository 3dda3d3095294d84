import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../ports/ports.ts';
import { presentSettings, settingsOf } from '../system/site-setting-names.ts';

/** Changes the settings that are named; every process goes by them from its next request on. */
export async function changeSiteSettings(
  { settings }: Pick<Ports, 'settings'>,
  input: InputOf<typeof operations.changeSiteSettings>,
): Promise<OutputOf<typeof operations.changeSiteSettings>> {
  return presentSettings(await settings.change(settingsOf(input)));
}
