import type { SiteSettings } from '@svc/domain';
import type { Deployment } from '../../ports/deployment.ts';

/** Days that raw outputs are kept, 0 for ever: the site's setting comes before the environment's (service 8.3). */
export function outputDays(
  { jobOutputRetentionDaysOverride: override }: SiteSettings,
  { retentionDays }: Pick<Deployment, 'retentionDays'>,
): number {
  return override ?? retentionDays.outputs;
}
