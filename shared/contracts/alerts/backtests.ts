import { alertRuleScopes, entityTypes } from '@svc/domain';
import { z } from 'zod';
import { Page, PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { NamedEntity, RuleCondition } from './alert-rules.ts';

/** A condition that is looked for in jobs that were created from one time on and before another. */
const Backtest = z.object({
  id: z.number().int(),
  scope: z.enum(alertRuleScopes),
  query: z.string(),
  entity_types: z.array(z.enum(entityTypes)),
  since: Timestamp,
  until: Timestamp,
  created_at: Timestamp,
  status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
  /** How far it is, and in the end how it ended. */
  detail: z.string().nullable(),
  jobs_done: z.number().int(),
  /** When it was asked for. */
  jobs_total: z.number().int(),
});
export type Backtest = z.output<typeof Backtest>;

const common = { area: 'alerts', access: 'member' } as const;

/** Conditions looked for in jobs of before (resolved-intel 10). */
export const backtestOperations = {
  beginBacktest: {
    ...common,
    method: 'POST',
    path: '/intel/rules/backtests',
    summary: 'Have a condition looked for in all jobs of a range of time that one sees, aside',
    body: RuleCondition.extend({ since: Timestamp, until: Timestamp }),
    success: [202],
    output: z.object({ id: z.number().int() }),
    errors: ['not_found', 'invalid_rule'],
    limit: 'resubmit',
  },
  listBacktests: {
    ...common,
    method: 'GET',
    path: '/intel/rules/backtests',
    summary: 'The last 20 back-tests that one has asked for, the newest first',
    success: [200],
    output: z.object({ backtests: z.array(Backtest) }),
    errors: [],
  },
  getBacktest: {
    ...common,
    method: 'GET',
    path: '/intel/rules/backtests/{id}',
    summary: 'How a back-test of one’s own stands, with a page of the jobs that it matched',
    params: PathId,
    query: z.object({ page: Page }),
    success: [200],
    output: Backtest.extend({
      /** So far, of jobs that one still sees. */
      matched_jobs: z.number().int(),
      matches: z.number().int(),
      total_pages: z.number().int(),
      found: z.array(
        z.object({
          job: z.object({ id: z.number().int(), filename: z.string(), created_at: Timestamp }),
          count: z.number().int(),
          /** The first of the entities. */
          entities: z.array(NamedEntity),
        }),
      ),
    }),
    errors: ['not_found'],
  },
  cancelBacktest: {
    ...common,
    method: 'POST',
    path: '/intel/rules/backtests/{id}/cancel',
    summary: 'Have a back-test look no further; what it has found stays',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
