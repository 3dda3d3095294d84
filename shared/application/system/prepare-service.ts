import { recoverStuckJobs, type RecoverPorts } from '../analysis/recover-stuck-jobs.ts';
import type { Ports } from '../ports/ports.ts';
import { type InstallationPorts, prepareInstallation } from './prepare-installation.ts';

export type PreparePorts = InstallationPorts & RecoverPorts & Pick<Ports, 'database'>;

/**
 * What a process does once before it serves: opens the database, loads the shipped workflows and rules, makes sure
 * there is an administrator, puts interrupted jobs back in motion. Returns the generated login of the very first
 * start, for the operator to read; else null.
 */
export async function prepareService(ports: PreparePorts): Promise<{ email: string; password: string } | null> {
  for (const line of ports.deployment.warnings) ports.log.warn(line);
  await ports.database.open();
  const firstLogin = await prepareInstallation(ports);
  await recoverStuckJobs(ports, 'startup');
  return firstLogin;
}
