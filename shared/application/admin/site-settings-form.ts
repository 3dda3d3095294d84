import type { SettingsForm } from '@svc/contracts';
import { activityCategories, activityOf, type SiteSettings } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentSettings } from '../system/site-setting-names.ts';
import { hostsOf, parallelRisks } from './workers/hosts.ts';

export type SettingsPorts = Pick<Ports, 'clock' | 'deployment' | 'settings' | 'workers' | 'workflows'>;

/** What administrators are shown of these settings. */
export async function settingsForm(ports: SettingsPorts, settings: SiteSettings): Promise<SettingsForm> {
  return {
    ...presentSettings(settings),
    parallel_risk: [...parallelRisks(await hostsOf(ports))],
    categories: activityCategories.map((category) => ({ category, actions: activityOf[category] })),
  };
}
