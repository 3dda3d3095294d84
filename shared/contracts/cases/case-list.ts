import { caseStatuses, severities } from '@svc/domain';
import { z } from 'zod';
import { Page, Timestamp } from '../fields.ts';
import { EntityCursor } from '../intel/entity-list.ts';
import type { Operation } from '../operation.ts';

/** A case as the list shows it (resolved-intel 16.2); of jobs, those that the viewer sees. */
export const ListedCase = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(caseStatuses),
  /** What its owner says, and the worst that its jobs have found. */
  severity: z.enum(severities).nullable(),
  derived_severity: z.enum(severities).nullable(),
  is_shared: z.boolean(),
  owner: z.string().nullable(),
  entity_count: z.number().int(),
  job_count: z.number().int(),
  /** Matched events. */
  total_findings: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** What of the case, its links and their notes changed last. */
  last_activity: Timestamp,
  closed_at: Timestamp.nullable(),
});
export type ListedCase = z.output<typeof ListedCase>;

export const caseSorts = ['updated', 'activity', 'severity', 'findings', 'name'] as const;

export const caseListOperations = {
  findCases: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases',
    summary: 'Visible cases, open and monitored ones unless another status is asked for, 50 a page',
    access: 'member',
    query: z.object({
      status: z.enum([...caseStatuses, 'all', '']).default(''),
      q: z.string().max(200).default(''),
      sort: z.enum(caseSorts).catch('updated').default('updated'),
      page: Page,
      cursor: EntityCursor.optional(),
    }),
    success: [200],
    output: z.object({
      items: z.array(ListedCase),
      total: z.number().int(),
      page: z.number().int(),
      total_pages: z.number().int(),
      /** Value of `cursor` for the next page and for the one before; null where there is none. */
      older: EntityCursor.nullable(),
      newer: EntityCursor.nullable(),
      /** Of visible cases whose name contains `q`. */
      status_counts: z.record(z.enum(caseStatuses), z.number().int()),
    }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
