import { z } from 'zod';

const names = z.array(z.string().min(1));

/** `analytics_fields.yaml`: which fields of events name what (resolved-platform 5.2). */
export const AnalyticsFields = z.object({
  fields: z.object({
    ip: names,
    hash: names,
    executable: names,
    domain: names,
    command_line: names,
    user: names,
    service: names,
    task: names,
    computer: names,
  }),
  ignored_users: z.array(z.string().toLowerCase()),
  command_line_extensions: z.array(z.string().startsWith('.').toLowerCase()),
});
export type AnalyticsFields = z.output<typeof AnalyticsFields>;

const severity = z.enum(['critical', 'high', 'medium', 'low', 'informational']);
const lowerCase = z.array(z.string().min(1).toLowerCase()).min(1);
const check = { fields: names.min(1), severity: severity.optional() };

/** One check of a category (resolved-platform 6.1). */
const Check = z.discriminatedUnion('type', [
  z.strictObject({
    ...check,
    type: z.literal('regex'),
    patterns: z
      .array(z.strictObject({ name: z.string().min(1), pattern: z.string().min(1), severity: severity.optional() }))
      .min(1),
  }),
  z.strictObject({ ...check, type: z.literal('basename_in_set'), values: lowerCase }),
  z.strictObject({
    ...check,
    type: z.literal('keyword_in_value'),
    name: z.string().min(1),
    values: lowerCase,
    at_label_end: z.boolean().default(false),
  }),
  z.strictObject({ ...check, type: z.literal('port_in_set'), values: z.array(z.number().int()).min(1) }),
  z.strictObject({
    ...check,
    type: z.literal('entropy'),
    name: z.string().min(1),
    threshold: z.number().positive(),
    min_length: z.number().int().min(1),
  }),
  z.strictObject({
    ...check,
    type: z.literal('masquerade'),
    system_binaries: lowerCase,
    legitimate_paths: lowerCase,
  }),
  z.strictObject({
    ...check,
    type: z.literal('typosquat'),
    targets: lowerCase,
    exclude: z.array(z.string().toLowerCase()).default([]),
    max_distance: z.number().int().min(1).max(4).default(2),
    min_length: z.number().int().min(1).default(4),
  }),
]);

/** `threat_detection.yaml`: the heuristics, by the key of their category (resolved-platform 6). */
export const ThreatDetection = z.object({
  /** How domains are told that look made by a program (resolved-intel 2). */
  dga_rule: z.enum(['shape', 'entropy']).default('shape'),
  categories: z.record(
    z.string().regex(/^[a-z0-9_]+$/),
    z.strictObject({
      label: z.string().min(1),
      description: z.string().default(''),
      default_severity: severity.default('medium'),
      checks: z.array(Check).min(1),
    }),
  ),
});
export type ThreatDetection = z.output<typeof ThreatDetection>;
