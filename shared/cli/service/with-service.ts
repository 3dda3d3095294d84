import { RequestError } from '@svc/contracts';
import { watchInterruption } from '../interruption.ts';
import { exitCodeOf } from '../submission/exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { readCredentials, type ServiceOptions } from './read-credentials.ts';
import { ConnectionError, CredentialsError } from './service-error.ts';
import { Service } from './service.ts';

/** Does something at the service that is named; what this refuses is told in a line. Resolves to the exit code. */
export async function withService(
  options: ServiceOptions,
  terminal: Terminal,
  work: (service: Service, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interruption = watchInterruption();
  try {
    return await work(new Service(await readCredentials(options, process.env)), interruption.signal);
  } catch (error) {
    const exitCode = interruption.exitCode();
    if (exitCode !== undefined) return exitCode;
    const isOfService =
      error instanceof ConnectionError || error instanceof CredentialsError || error instanceof RequestError;
    if (!isOfService) throw error;
    terminal.err(`svc: ${error.message}\n`);
    return exitCodeOf(error);
  } finally {
    interruption.close();
  }
}
