import { z } from 'zod';
import { PathId, Severity, TaskStatus } from '../fields.ts';
import type { Operation } from '../operation.ts';

const Count = z.number().int().min(0);

/** What several engines found in one log, side by side (detection-engine 5.1). */
export const Agreement = z.object({
  engines: z.array(
    z.object({
      tool: z.string(),
      status: TaskStatus,
      error: z.string().nullable(),
      /** Whether it came to its end; what others did not do is no disagreement. */
      compared: z.boolean(),
      /** Rules that matched, those that no other engine found, and matches. */
      rules: Count,
      only: Count,
      matches: Count,
    }),
  ),
  /** Worst first; none where fewer than two engines can be compared. */
  rules: z.array(
    z.object({
      rule_id: z.string().nullable(),
      rule_name: z.string(),
      /** The built-in engine's where it found the rule, else the worst. */
      severity: Severity,
      /** A cell for each engine; null where it did not find the rule, or is not compared. */
      found: z.array(
        z
          .object({
            /** As the report lists them. */
            findings: z.array(z.number().int()),
            count: Count,
            /** By this engine, where that is another. */
            severity: Severity.nullable(),
          })
          .nullable(),
      ),
      /** All found it as often, all found it, or some did not. */
      agreement: z.enum(['all', 'counts', 'some']),
      /** Records known by computer, channel and number among the events that are kept; null where there is no telling. */
      records: z
        .object({
          known: Count,
          in_common: Count,
          /** Whether the events that are kept are all matches. */
          complete: z.boolean(),
        })
        .nullable(),
      /** What explains a difference; none where no cause is known. */
      causes: z.array(
        z.object({
          /** The engine whose way of reading it is. */
          tool: z.string(),
          name: z.string(),
          why: z.string(),
          /** Else it only may be. */
          certain: z.boolean(),
        }),
      ),
    }),
  ),
});
export type Agreement = z.output<typeof Agreement>;

export const agreementOperations = {
  getAgreement: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/agreement',
    summary: 'What each engine of a job found, rule by rule, and why they differ as far as that is known',
    access: 'anyone',
    params: PathId,
    heavy: true,
    success: [200],
    output: Agreement,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
