import { z } from 'zod';
import { Id, Severity } from '../fields.ts';
import { ReportPanels, RuleSetInfo } from '../jobs/operations.ts';
import type { Operation } from '../operation.ts';

const Names = z.array(z.string());

/** What heuristics look for, and which fields name what: what a report is derived by beside its rules. */
const DeriveConfig = z.object({
  /** Most matched events to look at; absent for all. */
  maxEvents: z.number().int().optional(),
  entities: z.object({ fields: z.record(z.string(), Names), ignoredUsers: Names, commandLineExtensions: Names }),
  threats: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      description: z.string(),
      defaultSeverity: Severity,
      /** As the engine takes them. */
      checks: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
});

/** All that an analysis in the browser needs beside the log itself. */
export const TriagePlan = z.object({
  workflow: z.object({ id: z.number().int(), name: z.string() }),
  /** Tasks of the workflow that a browser can run, in their order. */
  tasks: z.array(
    z.object({
      tool: z.string(),
      rules: RuleSetInfo.omit({ newer: true }),
      /** Where the compiled rules are, as gzip; what is there never changes. */
      rules_url: z.string(),
      /** Matched events kept of each finding. */
      max_finding_details: z.number().int(),
    }),
  ),
  /** Whether rules of the site's own were left out for this visitor. */
  shipped_rules_only: z.boolean(),
  /** Engines of the workflow that only the service has. */
  elsewhere: Names,
  derive: DeriveConfig,
  panels: ReportPanels,
});
export type TriagePlan = z.output<typeof TriagePlan>;

export const triageOperations = {
  getTriagePlan: {
    area: 'rules',
    method: 'GET',
    path: '/api/ui/triage/{workflow_id}',
    summary: 'What an analysis by a workflow needs that runs in the browser',
    access: 'anyone',
    limit: 'preview',
    params: z.object({ workflow_id: Id }),
    success: [200],
    output: TriagePlan,
    errors: ['demo_mode', 'unknown_workflow', 'pack_refused'],
  },
  getCompiledRules: {
    area: 'rules',
    method: 'GET',
    path: '/api/ui/triage/rules/{digest}',
    summary: 'A set of compiled rules, as gzip; the same for ever',
    access: 'anyone',
    limit: 'preview',
    params: z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/) }),
    success: [200],
    output: null,
    bytes: 'application/gzip',
    errors: ['demo_mode', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
