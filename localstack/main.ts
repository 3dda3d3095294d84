import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import type { JobProgress, SubmittedJob } from '@svc/contracts';
import { startAwsMode } from './aws-mode.ts';
import { startDockerServers } from './docker-mode.ts';
import { startHostServers } from './servers.ts';

/** Where LocalStack's own tools look for it. */
const localstackPort = 4566;
const gatewayPort = Number(process.env.PORT ?? 8000);
const login = { email: 'admin@localhost', password: randomBytes(9).toString('base64url') };

const say = (text: string): void => void process.stdout.write(text);
const stops: (() => Promise<unknown>)[] = [];
const starting = new AbortController();
const { signal } = starting;
let [hasStarted, isStopping] = [false, false];

/** Starts everything and returns; a signal ends it. */
export async function runLocalStack({ inDocker }: { readonly inDocker: boolean }): Promise<void> {
  const start = startAll(inDocker);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void stop(start, 0));
  try {
    await start;
    hasStarted = true;
  } catch (error) {
    // What was interrupted fails, too.
    if (isStopping) return;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    await stop(start, 1);
  }
}

/** A second signal ends this process at once; a terminal has sent the first to all that it started, too. */
async function stop(start: Promise<unknown>, code: number): Promise<never> {
  if (isStopping) process.exit(1);
  isStopping = true;
  if (!hasStarted) starting.abort();
  say('Stopping …\n');
  await start.catch(() => {});
  for (const each of stops.toReversed()) await each().catch((error: unknown) => say(`${String(error)}\n`));
  process.exit(code);
}

async function startAll(inDocker: boolean): Promise<void> {
  const folder = join(projectRoot(), '.build/localstack');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  stops.push(() => rm(folder, { recursive: true, force: true }));

  say(`Starting LocalStack ${inDocker ? 'in Docker' : 'without Docker'} …\n`);
  const given = { databaseUrl: process.env.DATABASE_URL, keyValueUrl: process.env.KV_URL };
  const startServers = inDocker ? startDockerServers : startHostServers;
  const servers = await startServers({ folder, port: localstackPort, signal, given });
  stops.push(() => servers.stop());
  if (signal.aborted) return;

  say('Deploying the stacks …\n');
  const env = {
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    // Of a database that is kept.
    ...(process.env.SECRET_KEY !== undefined && { SECRET_KEY: process.env.SECRET_KEY }),
  };
  const mode = await startAwsMode(servers, { folder, env, port: gatewayPort, onOutput: say, signal });
  stops.push(() => mode.stop());
  if (signal.aborted) return;
  await mode.worker();

  const job = await analyseSample(mode.gateway.url);
  const lines = [
    `service      ${mode.gateway.url}`,
    `sign in      ${login.email}   ${login.password}`,
    `a report     ${mode.gateway.url}${job}`,
    `LocalStack   ${servers.aws.endpoint}   (key and secret: test)`,
  ];
  say(`\n${lines.map((line) => `  ${line}\n`).join('')}\nCtrl-C stops everything; nothing is kept.\n`);
}

/** Address of the finished report. */
async function analyseSample(url: string): Promise<string> {
  const headers = { accept: 'application/json' };
  const submitted = await fetch(`${url}/api/ui/samples/intrusion-sysmon`, { method: 'POST', headers });
  if (!submitted.ok) throw new Error(`The sample was not taken: ${await submitted.text()}`);
  const { job_id: id, job_url: address } = (await submitted.json()) as SubmittedJob;
  for (;;) {
    const progress = (await (await fetch(`${url}/jobs/${id}/status`, { headers })).json()) as JobProgress;
    if (progress.status === 'completed') return address;
    if (progress.terminal) throw new Error(`The sample's analysis ended as ${progress.status}`);
    await sleep(200);
  }
}
