import type { operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../ports/ports.ts';
import { presentSettings } from '../system/site-setting-names.ts';

/** Settings of the whole site, for administrators. */
export async function getSiteSettings({
  settings,
}: Pick<Ports, 'settings'>): Promise<OutputOf<typeof operations.getSiteSettings>> {
  return presentSettings(await settings.current());
}
