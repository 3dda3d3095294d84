import type { CheckOf } from '@svc/application/admin/readiness/run-checks.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { bytes, type ReadinessCheck } from '@svc/domain';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

const section = 'This machine';
const programMs = 3000;
/** What a job takes, beside what the service itself does (resolved-platform 16.4). */
const bytesOfJob = 1.5 * 1024 ** 3;

const run = promisify(execFile);

/** What only a program on the machine itself can find out, beside the checks of the service. */
export const hostChecks: readonly CheckOf<Pick<Ports, 'deployment' | 'machine'>>[] = [
  { section, name: 'Port', run: checkPort },
  { section, name: 'Hardware', run: checkHardware },
  { section, name: 'Containers', run: checkContainers },
];

/** Whether the service could listen, or does. */
export async function checkPort({ deployment }: Pick<Ports, 'deployment'>): Promise<ReadinessCheck> {
  const { host, port } = deployment.http;
  const check = { section, name: 'Port' } as const;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return { ...check, level: 'INFO', message: 'Any free one, as PORT=0 says', fix: null };
  const failure = await whyNotFree(host, port);
  if (failure === null) {
    return { ...check, level: 'PASS', message: `${address} is free: the service does not run now`, fix: null };
  }
  const version = await versionAt(host, port);
  if (version !== null) {
    return { ...check, level: 'PASS', message: `The service runs at ${address}, version ${version}`, fix: null };
  }
  if (failure === 'EADDRINUSE') {
    const fix = `Stop that program (ss -ltnp 'sport = :${port}' names it), or set another PORT`;
    return { ...check, level: 'FAIL', message: `Another program has ${address}`, fix };
  }
  const fix = 'Set HOST to an address of this machine, and PORT to one that this account may use';
  return { ...check, level: 'FAIL', message: `The service cannot listen at ${address}: ${failure}`, fix };
}

async function whyNotFree(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}

/** Of the service that answers there; null where something else does. */
async function versionAt(host: string, port: number): Promise<string | null> {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const answer = await fetch(`http://${reachable}:${port}/health`, { signal: AbortSignal.timeout(programMs) });
    const { migrations, version } = (await answer.json()) as Readonly<Record<string, unknown>>;
    return typeof version === 'string' && migrations !== undefined ? version : null;
  } catch {
    return null;
  }
}

/** Whether there is memory for the jobs that are to be analysed at the same time. */
export function checkHardware({ deployment, machine }: Pick<Ports, 'deployment' | 'machine'>): ReadinessCheck {
  const { cores, memoryBytes } = machine;
  const { workers } = deployment;
  const check = { section, name: 'Hardware' } as const;
  const message = `${cores} processor cores, ${bytes(memoryBytes)} of memory, ${workers} jobs at a time`;
  if (memoryBytes >= workers * bytesOfJob) return { ...check, level: 'PASS', message, fix: null };
  const fitting = Math.max(1, Math.floor(memoryBytes / bytesOfJob));
  const fix = `Set TASKQ_WORKERS=${fitting}, or give the machine more memory`;
  return { ...check, level: 'WARN', message: `${message}: large logs may need more memory than there is`, fix };
}

/** Which container runtime answers; the engine of the service needs none. */
export async function checkContainers(_ports: unknown, programs = ['docker', 'podman']): Promise<ReadinessCheck> {
  const check = { section, name: 'Containers', fix: null } as const;
  for (const program of programs) {
    const answers = await run(program, ['info'], { timeout: programMs }).then(
      () => true,
      () => false,
    );
    if (answers) return { ...check, level: 'PASS', message: `${program} answers` };
  }
  const message = `Neither ${programs.join(' nor ')} answers. The engine of the service needs none`;
  return { ...check, level: 'INFO', message };
}
