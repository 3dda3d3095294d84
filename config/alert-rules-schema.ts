import { z } from 'zod';

/** Alert rules and lists of values as files of `config/alert-rules` have them; each rule has a key. */
export const AlertRulesFile = z.strictObject({
  lists: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9_]{1,50}$/),
        match: z.enum(['exact', 'suffix', 'domain']),
        description: z.string().max(500).default(''),
        values: z.array(z.string().trim().toLowerCase().min(1).max(200)).min(1).max(2000),
      }),
    )
    .default([]),
  rules: z
    .array(
      z.strictObject({
        key: z.string().regex(/^[a-z0-9_]{1,50}$/),
        name: z.string().min(1).max(120),
        description: z.string().max(500).default(''),
        scope: z.enum(['entity', 'job']).default('entity'),
        entity_types: z.array(z.string()).default([]),
        criteria: z.string().max(500),
        tags: z
          .array(z.strictObject({ name: z.string().min(1), color: z.string() }))
          .max(10)
          .default([]),
        notify: z.boolean().default(false),
        enabled: z.boolean().default(true),
      }),
    )
    .default([]),
});
export type AlertRulesFile = z.output<typeof AlertRulesFile>;
