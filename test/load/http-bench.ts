// What the built server takes over HTTP on this machine: small submissions, grouped statuses, one large upload.
//   [--files N] [--megabytes N]
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { JobStates, SubmittedJob, Workflow } from '@svc/contracts';
import { startPostgres } from '../support/postgres-server.ts';
import { startRedis } from '../support/redis-server.ts';
import { startServer, type Server } from '../support/server.ts';
import { formAround, formType, inParallel, quantile, send, systemLog } from './http-client.ts';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '300' }, megabytes: { type: 'string', default: '500' } },
});
const files = Number(values.files);
const megabytes = Number(values.megabytes);
const fileBytes = 100_000;
const uploadsAtOnce = 4;
const readsAtOnce = 8;
const readSeconds = 5;
const statusesPerRead = 50;
const mib = 1_048_576;
const terminal = new Set(['completed', 'partial', 'failed', 'cancelled']);

const limits = ['UPLOAD', 'AUTHENTICATED_UPLOAD', 'API_TOKEN'];
const env = {
  // One address may have half of the places.
  UPLOAD_MAX_CONCURRENT: String(2 * uploadsAtOnce),
  ...Object.fromEntries(limits.map((name) => [`${name}_RATE_LIMIT_PER_MINUTE`, '0'])),
  LOG_LEVEL: 'ERROR',
  MAX_UPLOAD_SIZE_MB: String(megabytes + 1),
  SECRET_KEY: 'a-key-of-this-benchmark-and-no-other',
};

async function workflowOf(url: string): Promise<number> {
  const { workflows } = JSON.parse((await send(`${url}/api/v1/workflows`)).body) as { workflows: Workflow[] };
  const found = workflows.find(({ log_types: types }) => types.length === 1 && types[0] === 'syslog');
  if (!found) throw new Error('no workflow for system logs');
  return found.id;
}

/** Processor time of a process so far, in milliseconds. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

function residentMb(pid: number): number {
  return (Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024) / 1e6;
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

async function submitMany({ url, pid }: Server): Promise<number[]> {
  const workflow_id = await workflowOf(url);
  // One before, which compiles the rules.
  const ids = [await submitOne(url, workflow_id, -1, [])];
  await allEnded(url, ids);
  const times: number[] = [];
  const [from, cpu] = [performance.now(), cpuMs(pid)];
  await inParallel(files, uploadsAtOnce, async (index) => {
    ids.push(await submitOne(url, workflow_id, index, times));
  });
  const accepted = (performance.now() - from) / 1000;
  await allEnded(url, ids);
  const ended = (performance.now() - from) / 1000;
  const [rate, endRate] = [files / accepted, files / ended].map((value) => value.toFixed(1));
  print(`  submissions       ${rate}/s accepted, p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}`);
  print(`  until completed   ${endRate}/s; ${ms((cpuMs(pid) - cpu) / files)} of processor time a file, all in`);
  return ids;
}

async function submitOne(url: string, workflow: number, seed: number, times: number[]): Promise<number> {
  const [head, tail] = formAround({ workflow_id: workflow }, `${seed}.log`);
  const content = Buffer.concat([head, systemLog(fileBytes, seed), tail]);
  const answer = await send(`${url}/upload`, { method: 'POST', headers: { 'content-type': formType }, content });
  if (answer.status !== 202) throw new Error(`the submission was answered ${answer.status}: ${answer.body}`);
  times.push(answer.ms);
  return (JSON.parse(answer.body) as SubmittedJob).job_id;
}

async function allEnded(url: string, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += statusesPerRead) {
    const asked = ids.slice(at, at + statusesPerRead).join(',');
    for (;;) {
      const { jobs } = JSON.parse((await send(`${url}/api/v1/jobs?ids=${asked}`)).body) as JobStates;
      if (jobs.every(({ status }) => terminal.has(status))) break;
      await sleep(100);
    }
  }
}

async function readStatuses({ url, pid }: Server, ids: readonly number[]): Promise<void> {
  const asked = ids.slice(0, statusesPerRead).join(',');
  const times: number[] = [];
  const [from, cpu] = [performance.now(), cpuMs(pid)];
  const until = from + readSeconds * 1000;
  await inParallel(readsAtOnce, readsAtOnce, async () => {
    while (performance.now() < until) times.push((await send(`${url}/api/v1/jobs?ids=${asked}`)).ms);
  });
  const rate = ((times.length * 1000) / (performance.now() - from)).toFixed(0);
  const each = ms((cpuMs(pid) - cpu) / times.length);
  print(
    `  status reads      ${rate}/s of 50 jobs, p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}; ${each} of processor time each`,
  );
}

function* parts(head: Buffer, tail: Buffer): Generator<Uint8Array> {
  yield head;
  const part = systemLog(mib, 0);
  for (let at = 0; at < megabytes; at += 1) yield part;
  yield tail;
}

/** The same bytes written by this program, with and without waiting for the disk: megabytes a second. */
function diskRates(folder: string): [number, number] {
  const path = join(folder, 'bench.bin');
  const part = systemLog(mib, 0);
  const file = openSync(path, 'wx');
  const from = performance.now();
  for (let at = 0; at < megabytes; at += 1) writeSync(file, part);
  const written = performance.now();
  fsyncSync(file);
  const synced = performance.now();
  closeSync(file);
  rmSync(path);
  const rate = (to: number): number => (megabytes * mib) / 1000 / (to - from);
  return [rate(written), rate(synced)];
}

/** In a fresh server, so that idle is idle. */
async function uploadLarge(server: Server): Promise<void> {
  const { url, pid, dataDir } = server;
  const [head, tail] = formAround({ workflow_id: await workflowOf(url) }, 'large.log');
  await sleep(2000);
  const [idle, cpu] = [residentMb(pid), cpuMs(pid)];
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb(pid))), 20);
  const bytes = head.length + tail.length + megabytes * mib;
  const content = { bytes, parts: parts(head, tail) };
  const answer = await send(`${url}/upload`, { method: 'POST', headers: { 'content-type': formType }, content });
  clearInterval(watch);
  const used = cpuMs(pid) - cpu;
  if (answer.status !== 202) throw new Error(`the upload was answered ${answer.status}: ${answer.body}`);
  // Its analysis is no part of this, and would take the disk's time.
  await server.stop('SIGKILL');
  const [written, synced] = diskRates(dataDir);
  print(`one upload of ${megabytes} MiB`);
  print(
    `  throughput        ${(bytes / 1000 / answer.ms).toFixed(0)} MB/s, ${(used / 1000).toFixed(1)} s of processor time; this program writes ${written.toFixed(0)} MB/s, with fsync ${synced.toFixed(0)} MB/s`,
  );
  print(`  memory            ${(peak - idle).toFixed(0)} MB above ${idle.toFixed(0)} MB idle (at most 150)`);
}

async function measured(
  title: string,
  over: NodeJS.ProcessEnv,
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const server = await startServer({ env: { ...env, ...over } });
  try {
    if (title) print(title);
    await work(server);
  } finally {
    await server.stop('SIGKILL');
    await server.remove();
  }
}

const small = async (server: Server): Promise<void> => readStatuses(server, await submitMany(server));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { bavail, bsize } = statfsSync('.');
if (bavail * bsize < 3 * 1024 ** 3) throw new Error('3 GiB of free disk space are needed');
print(
  `${files} files of 100 kB, ${uploadsAtOnce} at a time; ${availableParallelism()} cores, shared with this program`,
);
await measured('embedded', {}, small);
const missing = process.env.SKIP_POSTGRES_TESTS ?? process.env.SKIP_REDIS_TESTS;
if (missing === undefined) {
  const [postgres, redis] = [await startPostgres(), await startRedis()];
  try {
    await measured('PostgreSQL and Redis', { DATABASE_URL: postgres.url, KV_URL: redis.url }, small);
  } finally {
    await redis.stop();
    await postgres.remove();
  }
} else {
  print(`PostgreSQL and Redis: left out, ${missing}`);
}
await measured('', {}, uploadLarge);
process.exit(0);
