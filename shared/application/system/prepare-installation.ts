import { checkFirstAdmin, createFirstAdmin } from '../auth/create-first-admin.ts';
import type { Ports } from '../ports/ports.ts';
import { takeCorePack, warnOfRulePacks } from '../rules/take-core-pack.ts';
import type { PackPorts } from '../rules/take-rule-pack.ts';

export type InstallationPorts = PackPorts &
  Pick<Ports, 'accounts' | 'deployment' | 'passwords' | 'shipped' | 'shippedRules' | 'workflows'>;

/**
 * What a migrated database must hold before anybody is served: the shipped workflows and rules, and an
 * administrator. Returns the generated login of the very first start, for the operator to read; else null.
 */
export async function prepareInstallation(
  ports: InstallationPorts,
): Promise<{ email: string; password: string } | null> {
  // What is refused is refused before anything is done; whose password must be read is created at the end.
  await checkFirstAdmin(ports);
  await seedWorkflows(ports);
  await seedAlertRules(ports);
  await takeCorePack(ports);
  await warnOfRulePacks(ports);
  return createFirstAdmin(ports);
}

async function seedWorkflows({ log, shipped, workflows }: InstallationPorts): Promise<void> {
  const found = await shipped.workflows();
  for (const problem of found.problems) log.warn('workflow left out', { problem });
  const defaults = found.workflows.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  if (defaults.length > 1) log.warn('several workflows want to be the default; the first is', { defaults });
  await workflows.seed(found.workflows);
}

/** A service that cannot have them starts all the same, with those that it has. */
async function seedAlertRules({ clock, log, shipped, shippedRules }: InstallationPorts): Promise<void> {
  try {
    const found = await shipped.alertRules();
    for (const problem of found.problems) log.warn('alert rules left out', { problem });
    await shippedRules.seed(found, clock.now());
  } catch (error) {
    log.error('the shipped alert rules cannot be used', { error });
  }
}
