import { z } from 'zod';
import { Timestamp } from '../fields.ts';

/** What all IOC packs say (resolved-intel 17.4). */
export const IocPack = z.object({
  version: z.literal('1.0'),
  generated_at: Timestamp,
  source: z.literal('svc'),
  indicators: z.array(
    z.object({
      value: z.string(),
      type: z.string(),
      first_seen: Timestamp,
      last_seen: Timestamp,
      sightings: z.number().int(),
      threat_categories: z.array(z.string()),
      severity: z.string(),
      stix_pattern: z.string(),
      tags: z.array(z.string()),
    }),
  ),
});
export type IocPack = z.output<typeof IocPack>;
