import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { createServer } from 'node:net';
import { describe } from 'vitest';

/** Suites that need a program beside Node.js, by the variable that says why it is not there. */
const skips = {
  browser: 'SKIP_BROWSER_TESTS',
  litellm: 'SKIP_LITELLM_TESTS',
  networkx: 'SKIP_NETWORKX_TESTS',
  prometheus: 'SKIP_PROMETHEUS_TESTS',
  podman: 'SKIP_PODMAN_TESTS',
  postgres: 'SKIP_POSTGRES_TESTS',
  redis: 'SKIP_REDIS_TESTS',
  schemathesis: 'SKIP_SCHEMATHESIS_TESTS',
  signing: 'SKIP_SIGNING_TESTS',
  sigma: 'SKIP_SIGMA_CLI_TESTS',
  stix: 'SKIP_STIX_TESTS',
  tlsh: 'SKIP_TLSH_TESTS',
  s3: 'SKIP_S3_TESTS',
  dynamodb: 'SKIP_DYNAMODB_TESTS',
} as const;

/** A suite that is skipped with one line where its program cannot be had. */
export function describeWith(program: keyof typeof skips, name: string, suite: () => void): void {
  const missing = process.env[skips[program]];
  if (missing === undefined) {
    describe(name, suite);
    return;
  }
  console.warn(`skipped: ${name}: ${missing}`);
  // oxlint-disable-next-line vitest/no-disabled-tests -- a machine without the program says so and goes on
  describe.skip(name, suite);
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Sends the signal and waits for the end; nothing when it has ended. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

/** Starts a program and waits until `answers` does; its output is in the error when it never does. */
export async function startProgram(
  path: string,
  args: readonly string[],
  options: SpawnOptions & { answers: () => Promise<unknown>; patienceMs?: number },
): Promise<ChildProcess> {
  const { answers, patienceMs = 30_000, ...how } = options;
  let printed = '';
  const child = spawn(path, args, { killSignal: 'SIGKILL', ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  // What ends it is told below.
  child.on('error', (error) => (printed += String(error)));
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline;) {
    const ending = child.exitCode ?? child.signalCode;
    if (ending !== null) throw new Error(`${path} ended with ${ending}:\n${printed}`);
    const answered = await answers().then(
      () => true,
      () => false,
    );
    if (answered) return child;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`${path} did not answer:\n${printed}`);
}
