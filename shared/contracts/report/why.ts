import { z } from 'zod';
import { PathId, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** One `field|modifier: values` of a rule, held against an event. */
const WhyItem = z.object({
  /** Field and modifiers as written; empty for a keyword. */
  key: z.string(),
  /** What the event has there; null where the field is absent, and for keywords. */
  found: z.array(z.string()).nullable(),
  holds: z.boolean(),
  /** Those of the rule’s values that hold; where none does, the first of all. */
  values: z.array(z.object({ value: z.string(), holds: z.boolean() })),
  /** Values of the rule that are not among these. */
  more: z.number().int().min(0),
});

/** A rule held against one event, in the words of the rule (detection-engine 1). */
export const Why = z.object({
  /** Place of the event, from 0, among those that were asked for: the sample events, or all matches. */
  event: z.number().int().min(0),
  /** Why it cannot be told, or what is to be known of what is told; null where all is clear. */
  note: z.string().nullable(),
  /** Null where it cannot be told. */
  rule: z
    .object({
      /** As written; of several, one must hold. */
      conditions: z.array(z.string()),
      matches: z.boolean(),
      /** Product, category and service that the rule reads. */
      log_source: z.string(),
      parts: z.array(
        z.object({
          name: z.string(),
          holds: z.boolean(),
          /** Of which one must hold, each with all of its items. */
          alternatives: z.array(z.object({ holds: z.boolean(), items: z.array(WhyItem) })),
        }),
      ),
    })
    .nullable(),
});
export type Why = z.output<typeof Why>;

export const whyOperations = {
  explainFinding: {
    area: 'report',
    method: 'GET',
    path: '/jobs/findings/{id}/why',
    summary: 'Why the rule of a finding matched one of its sample events, or of all its matches, part by part',
    access: 'anyone',
    params: PathId,
    /** `match` is a place among all matches that are at hand, and goes before `event`, one among the samples. */
    query: z.object({ event: wholeNumber(0, 100_000).prefault(0), match: wholeNumber(0, 2_000_000_000).optional() }),
    heavy: true,
    success: [200],
    output: Why,
    errors: ['not_found', 'busy'],
  },
} as const satisfies Record<string, Operation>;
