import { z } from 'zod';
import type { Operation } from '../operation.ts';

const Rules = z.number().int().min(0);

/** Rules of a pack that are about a technique or one under it; switched off ones are left out. */
export const PackCoverage = z.object({
  pack: z.string(),
  rules: Rules,
  /** Those of them for whose records a log was received. */
  fed: Rules,
});
export type PackCoverage = z.output<typeof PackCoverage>;

/** Something that can be logged and was not in what was received, or was. */
export const LogSettingGain = z.object({
  key: z.string(),
  title: z.string(),
  platform: z.string(),
  /** How to switch it on, step by step; commands stand alone in their lines. */
  how: z.array(z.string()),
  received: z.boolean(),
  /** Techniques that no rule sees now and some would see with it. */
  techniques: z.array(z.string()),
  /** Rules that see nothing now and would with it. */
  rules: Rules,
});
export type LogSettingGain = z.output<typeof LogSettingGain>;

export const coverageOperations = {
  getCoverage: {
    area: 'rules',
    method: 'GET',
    path: '/api/v1/coverage',
    summary: 'What the rules in force cover of ATT&CK given the logs that the caller may see, and what to log for more',
    access: 'member',
    success: [200],
    output: z.object({
      packs: z.array(z.string()),
      /** The newest of them, whose records were counted, that the log types are taken from. */
      jobs: z.number().int(),
      /** By technique and sub-technique; those of which no rule is are left out. */
      techniques: z.record(z.string(), z.array(PackCoverage)),
      /** Most techniques gained first. */
      settings: z.array(LogSettingGain),
    }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
