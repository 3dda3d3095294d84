import type { Deed } from '@svc/domain';
import { many, namesOf, type Tellers } from './teller.ts';

function changed(what: string, { id, name }: { readonly id: number; readonly name: string }): Deed {
  return { action: 'admin.workflow.update', target: ['workflow', id], summary: `${what} the workflow “${name}”` };
}

function created(what: string, { id, name }: { readonly id: number; readonly name: string }): Deed {
  return { action: 'admin.workflow.create', target: ['workflow', id], summary: `${what} the workflow “${name}”` };
}

/** Of workflows: names of the fields that were changed, not the definition (service 6.4). */
export const workflowDeeds = {
  createWorkflow: ({ output: { workflow } }) => created('Made', workflow),
  changeWorkflow: ({ input: { updated_at: _read, ...input }, output: { workflow } }) => ({
    ...changed('Changed', workflow),
    metadata: { fields: namesOf(input) },
  }),
  deleteWorkflow: ({ output: { id, name } }) => ({
    action: 'admin.workflow.delete',
    target: ['workflow', id],
    summary: `Deleted the workflow “${name}”`,
  }),
  duplicateWorkflow: ({ output: { workflow } }) => created('Copied another as', workflow),
  resetWorkflow: ({ output: { workflow } }) => changed('Took back to how it ships', workflow),
  validateWorkflow: null,
  importWorkflows: ({ input, output: { created: made, updated, changes } }) =>
    input.dry_run || made + updated === 0
      ? null
      : {
          action: 'admin.workflow.update',
          summary: `Imported ${many(made + updated, 'workflow')}`,
          metadata: {
            created: made,
            updated,
            names: changes.flatMap((one) => (one.change === 'unchanged' ? [] : one.name)),
          },
        },
} satisfies Partial<Tellers>;
