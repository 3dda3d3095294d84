import { logTypes, taskStates, workflowLimits, workflowOrigins } from '@svc/domain';
import { z } from 'zod';
import { Flag, Id, idList, LogType, PathId, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** Something to be said of a workflow as it is written. */
export const WorkflowProblem = z.object({
  /** An error keeps it from being saved. */
  level: z.enum(['error', 'warning']),
  /** The key that it is about, like `tasks[1].timeout`. */
  key: z.string(),
  message: z.string(),
  /** Of the definition, or of the document that is imported; null for what stands beside it. */
  line: z.number().int().nullable(),
});
export type WorkflowProblem = z.output<typeof WorkflowProblem>;

const Says = z.object({
  name: z.string(),
  description: z.string(),
  /** Empty for every type. */
  log_types: z.array(LogType),
  /** YAML or JSON with the one key `tasks`. */
  tasks: z.string(),
});

export const AdminWorkflow = Says.extend({
  id: Id,
  is_default: z.boolean(),
  /** One that is not takes no new jobs. */
  enabled: z.boolean(),
  origin: z.enum(workflowOrigins),
  created_at: Timestamp,
  /** When what it says was last changed. */
  updated_at: Timestamp,
  /** Its tasks in order, and what becomes of each here; none where the definition cannot be read. */
  engines: z.array(z.object({ tool: z.string(), state: z.enum(taskStates) })),
});
export type AdminWorkflow = z.output<typeof AdminWorkflow>;

const SavedWorkflow = z.object({ workflow: AdminWorkflow, warnings: z.array(WorkflowProblem) });

const types = `must be types of logs: ${logTypes.join(', ')}`;
const LogTypes = z.union([z.array(LogType), z.string().transform(split).pipe(z.array(LogType))], { error: types });
const text = z.string();

function split(names: string): string[] {
  return names.split(',').flatMap((name) => name.trim() || []);
}

const common = { area: 'admin', access: 'admin' } as const;
const one = { ...common, method: 'POST', params: PathId } as const;
const saved = { success: [200], output: SavedWorkflow } as const;

/** Workflows, as administrators make them (service 4.4, resolved-platform 2). */
export const workflowOperations = {
  listAdminWorkflows: {
    ...common,
    method: 'GET',
    path: '/admin/workflows',
    summary: 'All workflows by name, with the jobs that used them, and what a task can name here',
    success: [200],
    output: z.object({
      workflows: z.array(
        AdminWorkflow.extend({ jobs: z.number().int(), last_used_at: Timestamp.nullable() }).omit({ tasks: true }),
      ),
      /** Shipped ones that were deleted here; `resetWorkflow` brings them back. */
      deleted: z.array(z.object({ id: Id, name: z.string() })),
      engines: z.array(
        z.object({
          name: z.string(),
          enabled: z.boolean(),
          /** Null for every type. */
          reads: z.array(LogType).nullable(),
        }),
      ),
      packs: z.array(z.object({ name: z.string(), enabled: z.boolean(), rules: z.number().int() })),
    }),
    errors: [],
  },
  getWorkflow: {
    ...common,
    method: 'GET',
    path: '/admin/workflows/{id}',
    summary: 'A workflow, with what is to be said of it and, for one that ships, what its file says now',
    params: PathId,
    success: [200],
    output: z.object({
      workflow: AdminWorkflow,
      problems: z.array(WorkflowProblem),
      /** Null for one of the site’s own, and where the product has it no more. */
      shipped: Says.nullable(),
    }),
    errors: ['not_found'],
  },
  createWorkflow: {
    ...common,
    method: 'POST',
    path: '/admin/workflows',
    summary: 'Make a workflow',
    confirmed: true,
    body: z.object({
      name: text,
      description: text.default(''),
      log_types: LogTypes,
      tasks: text,
      is_default: Flag,
      enabled: Switch.default(true),
    }),
    ...saved,
    success: [201],
    errors: ['invalid_workflow', 'conflict'],
  },
  changeWorkflow: {
    ...one,
    path: '/admin/workflows/{id}',
    summary: 'Change of a workflow what the request names; jobs that have begun go on as they were',
    confirmed: true,
    body: z.object({
      name: text.optional(),
      description: text.optional(),
      log_types: LogTypes.optional(),
      tasks: text.optional(),
      is_default: Switch.optional(),
      enabled: Switch.optional(),
      /** The `updated_at` that was read; where the workflow was changed since, it is a conflict. */
      updated_at: Timestamp.optional(),
    }),
    ...saved,
    errors: ['not_found', 'invalid_workflow', 'conflict'],
  },
  deleteWorkflow: {
    ...one,
    path: '/admin/workflows/{id}/delete',
    summary: 'Delete a workflow; jobs that used it keep its name, and those that wait are still done by it',
    success: [200],
    output: AdminWorkflow.pick({ id: true, name: true }),
    errors: ['not_found'],
  },
  duplicateWorkflow: {
    ...one,
    path: '/admin/workflows/{id}/duplicate',
    summary: 'Make a copy of a workflow, switched off, under a name of its own',
    ...saved,
    success: [201],
    errors: ['not_found', 'conflict'],
  },
  resetWorkflow: {
    ...one,
    path: '/admin/workflows/{id}/reset',
    summary: 'Have a workflow that ships say again what its file says, also one that was deleted',
    ...saved,
    errors: ['not_found', 'conflict'],
  },
  validateWorkflow: {
    ...common,
    method: 'POST',
    path: '/admin/workflows/validate',
    summary: 'What would be said of a workflow if it were saved so',
    body: z.object({ name: text.default(''), log_types: LogTypes.default([]), tasks: text }),
    success: [200],
    output: z.object({ valid: z.boolean(), problems: z.array(WorkflowProblem) }),
    errors: [],
  },
  exportWorkflows: {
    ...common,
    method: 'GET',
    path: '/admin/workflows/export.yaml',
    summary: 'Workflows as YAML, a document each as they ship: those that are named, or all',
    query: z.object({ ids: idList('workflows', workflowLimits.workflows).optional() }),
    success: [200],
    output: null,
    bytes: 'text/yaml',
    errors: ['not_found'],
  },
  importWorkflows: {
    ...common,
    method: 'POST',
    path: '/admin/workflows/import',
    summary: 'Take the workflows of a YAML text by their names, all or none; or only say what would become of them',
    confirmed: true,
    body: z.object({
      yaml_text: z.string().max(workflowLimits.document, `must have at most ${workflowLimits.document} characters`),
      dry_run: Flag,
    }),
    success: [200],
    output: z.object({
      created: z.number().int(),
      updated: z.number().int(),
      unchanged: z.number().int(),
      changes: z.array(
        z.object({
          name: z.string(),
          change: z.enum(['created', 'updated', 'unchanged']),
          /** Names of the keys that say something else. */
          keys: z.array(z.string()),
        }),
      ),
      warnings: z.array(WorkflowProblem),
    }),
    errors: ['invalid_workflow', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
