import { readEnvironment, WrongSettings, type Environment } from '@svc/config';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { secretVariables } from './aws/secret-variables.ts';

/** Read once, as the process begins: before anything is composed. */
const secrets = await secretVariables(process.env);

/** The environment variables of this process, and under them those that secrets hold. */
export function environmentVariables(): Readonly<Record<string, string | undefined>> {
  return { ...secrets, ...process.env };
}

/** The settings of this process. Throws what is wrong with them, a file that they name and that is not there among it. */
export function environmentHere(): Environment {
  const environment = readEnvironment(environmentVariables());
  const missing = missingFile(environment, 'ANALYTICS_FIELDS_PATH');
  if (missing !== null) throw new WrongSettings([missing]);
  return environment;
}

/** A sentence, where the variable names a file that is not there; null where it is, or none is named. */
export function missingFile(
  environment: Environment,
  name: 'ANALYTICS_FIELDS_PATH' | 'THREAT_DETECTION_CONFIG_PATH',
): string | null {
  const path = environment[name];
  const isFine = path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFine ? null : `${name}: there is no file ${resolve(path)}`;
}
