import { suppressionLimits, suppressionTests } from '@svc/domain';
import { z } from 'zod';
import { Id, PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

const { reason, conditions, field, value } = suppressionLimits;
const Count = z.number().int().min(0);

const Condition = z.object({
  field: z.string().min(1).max(field),
  test: z.enum(suppressionTests),
  value: z.string().min(1).max(value),
});

/** What of a rule is suppressed: all of its matches, or those that meet all conditions. */
const Wanted = {
  rule_id: z.string().trim().min(1).max(100),
  conditions: z.array(Condition).max(conditions).default([]),
  /** Where it holds; the instance where none is given. */
  case_id: Id.nullable().default(null),
};

const RuleName = z.string().trim().min(1).max(500);
const Reason = z.string().trim().min(1, 'must say why').max(reason);

/** Known-benign matches of a rule ([decision 134](docs/decisions/0134-suppressions.md)). */
export const Suppression = z.object({
  id: Id,
  case_id: Id.nullable(),
  rule_id: z.string(),
  rule_name: z.string(),
  /** Null, as the reason is, where it was written down from a private job that is not for the caller. */
  conditions: z.array(Condition).nullable(),
  reason: z.string().nullable(),
  author: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  /** `applying` while findings of before are marked, `removing` while they are unmarked. */
  state: z.enum(['applying', 'active', 'expired', 'removing']),
  /** In jobs that the caller may see. */
  hits: z.object({ findings: Count, events: Count, jobs: Count, last_at: Timestamp.nullable() }),
  can_remove: z.boolean(),
});
export type Suppression = z.output<typeof Suppression>;

/** What one would do in jobs that the caller may see. */
export const SuppressionPreview = z.object({
  /** Findings of the rule, and how many of them were looked at: the newest. */
  findings: Count,
  looked: Count,
  /** Of those: suppressed as a whole, in part, and not at all since their events were not all kept. */
  whole: Count,
  partly: Count,
  unknown: Count,
  events: Count,
  jobs: Count,
});
export type SuppressionPreview = z.output<typeof SuppressionPreview>;

/** Decisions about rules as a document: overrides of packs and suppressions of the instance. */
const Document = z.string().min(1).max(1_048_576);

export const suppressionOperations = {
  listSuppressions: {
    area: 'report',
    method: 'GET',
    path: '/api/v1/suppressions',
    summary: 'What is suppressed as known to be benign: by the whole instance, or in a case; the newest first',
    access: 'member',
    query: z.object({ case_id: Id.optional() }),
    success: [200],
    output: z.object({ suppressions: z.array(Suppression), can_add: z.boolean() }),
    errors: ['case_not_found'],
  },
  previewSuppression: {
    area: 'report',
    method: 'POST',
    path: '/api/v1/suppressions/preview',
    summary: `What a suppression would do to the newest ${suppressionLimits.looked} findings of its rule that the caller may see; nothing is kept`,
    access: 'member',
    body: z.object(Wanted),
    success: [200],
    output: SuppressionPreview,
    errors: ['case_not_found'],
  },
  addSuppression: {
    area: 'report',
    method: 'POST',
    path: '/api/v1/suppressions',
    summary:
      'Suppress matches of a rule, with a reason: in a case, for those who may change it, or in the instance, for administrators',
    access: 'member',
    limit: 'api',
    body: z.object({
      ...Wanted,
      rule_name: RuleName,
      reason: Reason,
      expires_at: Timestamp.nullable().default(null),
      /** The finding that it was written down from. */
      finding_id: Id.optional(),
    }),
    success: [201],
    output: z.object({ suppression: Suppression }),
    errors: ['case_not_found', 'not_found'],
  },
  removeSuppression: {
    area: 'report',
    method: 'POST',
    path: '/api/v1/suppressions/{id}/remove',
    summary: 'Take a suppression back; its findings count again as soon as they are unmarked',
    access: 'member',
    limit: 'api',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found'],
  },
  exportRuleDecisions: {
    area: 'report',
    method: 'GET',
    path: '/api/v1/rule-decisions',
    summary: 'What was decided about rules, as YAML: overrides of packs and suppressions of the instance',
    access: 'admin',
    success: [200],
    output: null,
    bytes: 'text/yaml',
    errors: [],
  },
  importRuleDecisions: {
    area: 'report',
    method: 'POST',
    path: '/api/v1/rule-decisions',
    summary: 'Take in what was decided about rules elsewhere; what is here already stays, and what cannot be is told',
    access: 'admin',
    scope: 'rule:write',
    limit: 'api',
    body: z.object({ document: Document }),
    success: [200],
    output: z.object({ overrides: Count, suppressions: Count, skipped: z.array(z.string()) }),
    errors: ['bad_request'],
  },
} as const satisfies Record<string, Operation>;
