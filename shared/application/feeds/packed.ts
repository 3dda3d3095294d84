import type { IocPack } from '@svc/contracts';
import { stixPattern } from '@svc/domain';
import type { Indicator } from './indicators.ts';

/** What all IOC packs say (resolved-intel 17.4). */
export function packed(indicators: readonly Indicator[], now: Date): IocPack {
  return {
    version: '1.0',
    generated_at: now.toISOString(),
    source: 'svc',
    indicators: indicators.map((one) => ({
      value: one.value,
      type: one.type,
      first_seen: one.firstSeenAt.toISOString(),
      last_seen: one.lastSeenAt.toISOString(),
      sightings: one.jobCount,
      threat_categories: [...one.categories],
      severity: one.severity ?? '',
      stix_pattern: stixPattern(one) ?? '',
      tags: one.tags.map(({ name }) => name),
    })),
  };
}
