import { operations, RequestError } from '@svc/contracts';
import { askSecret } from '../ask-secret.ts';
import { UsageError } from '../argument-values.ts';
import { watchInterruption } from '../interruption.ts';
import type { LoginCommand } from '../service-arguments.ts';
import { checkToken, saveCredentials, serviceUrl } from '../service/read-credentials.ts';
import { ConnectionError, CredentialsError } from '../service/service-error.ts';
import { refusePlainHttp, Service } from '../service/service.ts';
import { exitCodeOf } from '../submission/exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** Asks for a token, tries it and keeps it for later calls; resolves to the exit code. */
export async function login({ server, insecureHttp }: LoginCommand, terminal: Terminal): Promise<number> {
  const address = server ?? process.env['SVC_URL'];
  if (address === undefined) throw new UsageError('Say which service: svc login --server URL');
  const url = serviceUrl(address);
  try {
    refusePlainHttp(url, insecureHttp);
    const token = checkToken(await askSecret(terminal, `API token for ${url}: `));
    const credentials = { url, token, insecureHttp };
    const canRead = await tryToken(new Service(credentials));
    const path = await saveCredentials(credentials, process.env);
    terminal.out(`svc submit now goes to ${url}; the token is in ${path}.\n`);
    if (!canRead) terminal.err('svc: the token has no scope job:read, so svc submit needs --no-wait\n');
    return 0;
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof CredentialsError || error instanceof RequestError)) {
      throw error;
    }
    terminal.err(`svc: ${error.message}\n`);
    return exitCodeOf(error);
  }
}

/** Whether results can be read too; throws what `Service` does when files cannot be submitted. */
async function tryToken(service: Service): Promise<boolean> {
  const interruption = watchInterruption();
  const { signal } = interruption;
  try {
    await service.call(operations.listWorkflows, {}, { signal });
    await service.call(operations.getJobStates, { ids: '1' }, { signal });
    return true;
  } catch (error) {
    const refusal = error instanceof CredentialsError ? error.cause : null;
    const isReading = refusal instanceof RequestError && refusal.message.includes('job:read');
    if (isReading) return false;
    throw error;
  } finally {
    interruption.close();
  }
}
