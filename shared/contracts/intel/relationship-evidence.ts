import { z } from 'zod';
import { Page, PathId, Severity } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { EntityName, ListPart, RelationshipType } from './entity-links.ts';

/** What one job shows of a relationship. */
export const JobEvidence = z.object({
  job: z.object({ id: z.number().int(), filename: z.string() }),
  /** Events of the job that show it, and those of them that tell of a failure; none where the job names both ends alone. */
  occurrence_count: z.number().int().optional(),
  failed_count: z.number().int().optional(),
  /** First and last time of these events in milliseconds; null where none has a time. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  /** The first of these events, trimmed. */
  events: z.array(z.record(z.string(), z.unknown())),
  /** The worst findings of the job whose matched events name both ends. */
  findings: z.array(z.object({ id: z.number().int(), rule_name: z.string(), severity: Severity })),
});
export type JobEvidence = z.output<typeof JobEvidence>;

/** Of a relationship, what every member knows. */
const Relation = {
  relationship_id: z.number().int(),
  rel_type: RelationshipType,
  rel_label: z.string(),
  source: EntityName,
  target: EntityName,
  /** Events of all jobs. */
  occurrence_count: z.number().int(),
};

/** What shows a relationship, and when: of jobs that the caller sees (resolved-intel 6.3). */
export const relationshipEvidenceOperations = {
  getRelationshipTimespan: {
    area: 'intel',
    method: 'GET',
    path: '/intel/relationships/{id}/timespan.json',
    summary: 'From when to when events of visible jobs show a relationship',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    success: [200],
    output: z.object({
      ...Relation,
      /** Events of visible jobs, and how many of these jobs there are. */
      evidence_occurrences: z.number().int(),
      jobs: z.number().int(),
      /** `event`: times of events; `ingest`: when jobs with it were analysed, where no event tells a time. */
      time_source: z.enum(['event', 'ingest']),
      from: z.number(),
      to: z.number(),
      /** Whether the times are those of the kept samples alone. */
      sampled: z.boolean(),
      sample_cap: z.number().int(),
    }),
    errors: ['not_found'],
  },
  listRelationshipEvidence: {
    area: 'intel',
    method: 'GET',
    path: '/intel/relationships/{id}/evidence',
    summary: 'Visible jobs that name both ends of a relationship, those that show it first, newest first, 50 a page',
    access: 'member',
    scope: 'intel:read',
    params: PathId,
    query: z.object({ page: Page }),
    success: [200],
    output: z.object({ ...Relation, ...ListPart, evidence: z.array(JobEvidence) }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
