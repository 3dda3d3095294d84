import type { operations, OutputOf } from '@svc/contracts';
import { knownEngines } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { presentWorkflow } from './present-workflow.ts';

/** All workflows by name, with the jobs that used them, and what a task can name here. */
export async function listAdminWorkflows(
  ports: Pick<Ports, 'engines' | 'rulePacks' | 'workflowStore'>,
): Promise<OutputOf<typeof operations.listAdminWorkflows>> {
  const [all, uses, packs, engines] = await Promise.all([
    ports.workflowStore.all(),
    ports.workflowStore.uses(),
    ports.rulePacks.list(),
    ports.engines.current(),
  ]);
  return {
    workflows: await Promise.all(
      all
        .filter(({ deletedAt }) => deletedAt === null)
        .map(async (workflow) => {
          const { tasks: _text, ...shown } = await presentWorkflow(ports, workflow);
          const { jobs = 0, lastUsedAt = null } = uses.get(workflow.id) ?? {};
          return { ...shown, jobs, last_used_at: lastUsedAt?.toISOString() ?? null };
        }),
    ),
    deleted: all
      .filter(({ deletedAt, shippedAs }) => deletedAt !== null && shippedAs !== null)
      .map(({ id, name }) => ({ id, name })),
    engines: Object.entries(knownEngines).map(([name, types]) => {
      const engine = engines.get({ tool: name, program: null });
      const reads = engine?.supportedTypes ?? types;
      return { name, enabled: engine !== null, reads: reads && [...reads] };
    }),
    packs: packs.map(({ pack: { name, enabled, inForce } }) => ({ name, enabled, rules: inForce.loaded })),
  };
}
