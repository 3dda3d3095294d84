import { compose } from '@svc/adapters/compose.ts';
import { prepareInstallation } from '@svc/application/system/prepare-installation.ts';
import { AppError } from '@svc/domain';

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
  'workflows',
);

/**
 * Runs once per deployment, before new code serves: migrates the database under its lock, takes in the shipped
 * workflows and rules, and makes the first administrator. Rejects with a sentence for the operator.
 */
export async function handler(): Promise<void> {
  for (const line of ports.deployment.warnings) ports.log.warn(line);
  try {
    await ports.database.migrate();
    await prepareInstallation(ports);
  } catch (error) {
    throw new Error(sentenceOf(error), { cause: error });
  }
  ports.log.info('the database is up to date', { version: ports.deployment.version });
}

/** What a server that is away or refuses has to say stands behind the sentence that callers see. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
