import { createFirstAdmin } from '../accounts/create-first-admin.ts';
import { recoverStuckJobs, type RecoverPorts } from '../analysis/recover-stuck-jobs.ts';
import type { Ports } from '../ports/ports.ts';
import { takeCorePack } from '../rules/take-core-pack.ts';

export type PreparePorts = RecoverPorts &
  Pick<
    Ports,
    'accounts' | 'database' | 'objects' | 'passwords' | 'ruleArtifacts' | 'ruleCompiler' | 'rulePacks' | 'shipped'
  >;

/**
 * What a process does once before it serves: opens the database, loads the shipped workflows and rules,
 * puts interrupted jobs back in motion, makes sure there is an administrator. Returns the generated login
 * of the very first start, for the operator to read; else null.
 */
export async function prepareService(ports: PreparePorts): Promise<{ email: string; password: string } | null> {
  for (const line of ports.deployment.warnings) ports.log.warn(line);
  await ports.database.open();
  await seedWorkflows(ports);
  await takeCorePack(ports);
  await recoverStuckJobs(ports, 'startup');
  return createFirstAdmin(ports);
}

async function seedWorkflows({ log, shipped, workflows }: PreparePorts): Promise<void> {
  const found = await shipped.workflows();
  for (const problem of found.problems) log.warn('workflow left out', { problem });
  const defaults = found.workflows.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  if (defaults.length > 1) log.warn('several workflows want to be the default; the first is', { defaults });
  await workflows.seed(found.workflows);
}
