import { caseLimits, caseStatuses, severities } from '@svc/domain';
import { z } from 'zod';
import { Id, PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** A case as its page opens it (resolved-intel 16.1). */
export const CaseDetails = z.object({
  id: Id,
  name: z.string(),
  summary: z.string().nullable(),
  status: z.enum(caseStatuses),
  severity: z.enum(severities).nullable(),
  is_shared: z.boolean(),
  /** Null when the account is gone. */
  owner: z.object({ name: z.string() }).nullable(),
  /** Markdown, as written. */
  narrative: z.string().nullable(),
  /** What `if_version` of a new narrative says. */
  narrative_version: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: Timestamp.nullable(),
  entity_count: z.number().int(),
  /** Those that the viewer sees. */
  job_count: z.number().int(),
  comment_count: z.number().int(),
  can_edit: z.boolean(),
  /** Whether the viewer may share it, name who works on it, and delete it. */
  can_manage: z.boolean(),
});
export type CaseDetails = z.output<typeof CaseDetails>;

/** What each text of a case says when it is too long. */
export const caseText = (most: number) => z.string().trim().max(most, `at most ${most} characters`);
export const LinkNote = caseText(caseLimits.linkNote).default('');

export const caseRecordOperations = {
  getCase: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}',
    summary: 'A case: what is said of it, how much is in it, and what its viewer may do',
    access: 'member',
    params: PathId,
    success: [200],
    output: CaseDetails,
    errors: ['case_not_found'],
  },
} as const satisfies Record<string, Operation>;
