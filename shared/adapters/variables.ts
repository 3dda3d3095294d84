import { secretVariables } from './aws/secret-variables.ts';

/** Read once, as the process begins: before anything is composed. */
const secrets = await secretVariables(process.env);

/** The environment variables of this process, and under them those that secrets hold. */
export function environmentVariables(): Readonly<Record<string, string | undefined>> {
  return { ...secrets, ...process.env };
}
