import { reviewStates, severities, tactics } from '@svc/domain';
import { z } from 'zod';
import { Id, PathId, Severity, SeveritySummary, Switch } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { FindingRow } from '../report/findings.ts';

const Count = z.number().int().min(0);
const Cursor = z.string().regex(/^\d-\d{1,16}-\d{1,10}$/);

/** A finding of one of the jobs of a case; times are by the clock of the case. */
export const CaseFinding = FindingRow.pick({
  id: true,
  tool: true,
  rule_id: true,
  rule_name: true,
  severity: true,
  count: true,
  suppressed: true,
  tags: true,
  first_seen: true,
  last_seen: true,
}).extend({
  job_id: Id,
  filename: z.string(),
  /** The first hosts that it names, and how many in all; null where that is not kept. */
  hosts: z.array(z.string()),
  hosts_total: Count.nullable(),
  state: z.enum(reviewStates),
});
export type CaseFinding = z.output<typeof CaseFinding>;

export const CaseFindings = z.object({
  findings: z.array(CaseFinding),
  /** Exact; by severity of all that pass the other filters. */
  total: Count,
  severities: SeveritySummary,
  /** Value of `cursor` for the next page; null on the last. */
  next: Cursor.nullable(),
});
export type CaseFindings = z.output<typeof CaseFindings>;

/** What the jobs of a case say about a host or an account. */
export const CaseActor = z.object({
  name: z.string(),
  /** Of an account, in Intel. */
  entity_id: Id.nullable(),
  /** Findings that name it. */
  findings: SeveritySummary,
  job_ids: z.array(Id),
  /** By the clock of the case, UTC ISO 8601; null where no time is known. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** Rules that matched for it, worst first. */
  rules: z.array(z.object({ name: z.string(), severity: Severity, findings: Count })),
});
export type CaseActor = z.output<typeof CaseActor>;

/** The worst of them, and how many there are. */
export const CaseActors = z.object({
  hosts: z.array(CaseActor),
  hosts_total: Count,
  users: z.array(CaseActor),
  users_total: Count,
  jobs: z.array(z.object({ id: Id, filename: z.string() })),
});
export type CaseActors = z.output<typeof CaseActors>;

export const caseFindingOperations = {
  listCaseFindings: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/findings',
    summary: 'Findings of the jobs of a case that its viewer sees, worst first, 100 a page',
    access: 'member',
    params: PathId,
    query: z.object({
      /** A comma list; names of no severity are passed over. */
      severity: z
        .string()
        .transform((list) => severities.filter((one) => list.split(',').includes(one)))
        .pipe(z.array(Severity))
        .optional(),
      /** Part of the name of a rule, or its id. */
      q: z.string().trim().max(200).default(''),
      host: z.string().trim().max(255).default(''),
      job_id: Id.optional(),
      tactic: z.enum(tactics).optional(),
      state: z.enum(reviewStates).optional(),
      /** Those that the case or the instance has suppressed, instead of the others. */
      suppressed: Switch.optional(),
      cursor: Cursor.optional(),
    }),
    heavy: true,
    success: [200],
    output: CaseFindings,
    errors: ['case_not_found', 'not_found'],
  },
  getCaseActors: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/hosts',
    summary: 'Hosts and accounts that the findings of a case name, with what was found on them and when',
    access: 'member',
    params: PathId,
    heavy: true,
    success: [200],
    output: CaseActors,
    errors: ['case_not_found'],
  },
} as const satisfies Record<string, Operation>;
