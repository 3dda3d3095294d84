import { caseNameLength, caseStatuses } from '@svc/domain';
import { z } from 'zod';
import { Flag, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { caseLinkOperations } from './case-links.ts';
import { caseListOperations } from './case-list.ts';
import { caseOverviewOperations } from './case-overview.ts';
import { caseRecordOperations, CreatedCase } from './case-record.ts';
import { caseFindingOperations } from './case-findings.ts';
import { caseTimelineOperations } from './case-timeline.ts';
import { caseGraphOperations } from './case-graph.ts';
import { caseProcessOperations } from './case-processes.ts';

export const CreateCaseInput = z.object({ name: z.string().trim().min(1).max(caseNameLength), is_shared: Flag });
export type CreateCaseInput = z.output<typeof CreateCaseInput>;

/** A case as pickers and scripts list it (resolved-intel 16.6). */
export const CaseRow = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(caseStatuses),
  is_shared: z.boolean(),
});
export type CaseRow = z.output<typeof CaseRow>;

export const caseOperations = {
  ...caseRecordOperations,
  ...caseLinkOperations,
  ...caseListOperations,
  ...caseOverviewOperations,
  ...caseTimelineOperations,
  ...caseFindingOperations,
  ...caseGraphOperations,
  ...caseProcessOperations,
  createCase: {
    area: 'cases',
    method: 'POST',
    path: '/api/v1/cases',
    summary: 'Create a case to group jobs in',
    access: 'member',
    scope: 'case:write',
    body: CreateCaseInput,
    idempotent: true,
    limit: 'api',
    success: [201, 200],
    output: CreatedCase,
    errors: ['demo_mode', 'bad_key', 'key_reused', 'case_gone'],
  },
  listCases: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/list.json',
    summary: 'Visible cases, newest updated first; closed ones only when asked for',
    access: 'member',
    scope: 'case:read',
    query: z.object({
      status: z.enum([...caseStatuses, 'all']).optional(),
      limit: wholeNumber(1, 500).prefault(100),
    }),
    limit: 'token',
    success: [200],
    output: z.array(CaseRow),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
