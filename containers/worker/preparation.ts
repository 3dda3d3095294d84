import { closePorts, compose } from '@svc/adapters/compose.ts';
import { prepareInstallation } from '@svc/application/system/prepare-installation.ts';

const ports = compose(
  'accounts',
  'clock',
  'database',
  'deployment',
  'log',
  'objects',
  'passwords',
  'ruleArtifacts',
  'ruleCompiler',
  'rulePacks',
  'shipped',
  'shippedRules',
  'workflows',
);

/**
 * Migrates the database under its lock, takes in the shipped workflows and rules, and makes the first administrator;
 * again, it finds nothing to do.
 */
export async function prepare(): Promise<void> {
  for (const line of ports.deployment.warnings) ports.log.warn(line);
  await ports.database.migrate();
  await prepareInstallation(ports);
  ports.log.info('the database is up to date', { version: ports.deployment.version });
  await closePorts();
}
