import { aiFactKinds } from '@svc/domain';
import { z } from 'zod';
import { Id, PathId } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** A value that an answer names, held against what the reports of its jobs show the viewer. */
export const AiFact = z.object({
  kind: z.enum(aiFactKinds),
  /** As the answer writes it. */
  value: z.string(),
  /** False for what looks as if it were from the evidence, and is not. */
  in_evidence: z.boolean(),
  /** Where it is told of; null where that is in several places, or nowhere. */
  job_id: Id.nullable(),
  finding_id: Id.nullable(),
  /** For members, where there is a page of it. */
  entity_id: Id.nullable(),
});
export type AiFact = z.output<typeof AiFact>;

const facts = z.object({
  facts: z.array(AiFact),
  /** Whether all that the answer was written from is still there to be looked at. */
  complete: z.boolean(),
});
const RunPath = PathId.extend({ rid: Id });

export const aiFactOperations = {
  getJobAiFacts: {
    area: 'ai',
    access: 'anyone',
    method: 'GET',
    path: '/jobs/{id}/ai-analysis/{rid}/facts',
    summary: 'What the answer of a run over a job names, and whether the evidence has it',
    params: RunPath,
    heavy: true,
    success: [200],
    output: facts,
    errors: ['not_found'],
  },
  getCaseAiFacts: {
    area: 'ai',
    access: 'member',
    method: 'GET',
    path: '/intel/cases/{id}/ai-analysis/{rid}/facts',
    summary: 'What the answer of a run over a case names, and whether the evidence of its jobs has it',
    params: RunPath,
    heavy: true,
    success: [200],
    output: facts,
    errors: ['case_not_found', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
