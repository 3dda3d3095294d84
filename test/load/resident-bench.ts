// What the product keeps resident on this machine, its database included: idle, and after many jobs.
//   [--jobs N] [--idle SECONDS]
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JobStates, SubmittedJob, Workflow } from '@svc/contracts';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { startServer } from '../support/server.ts';
import { variedLog } from '../support/varied-log.ts';
import { formAround, formType, inParallel, send } from './http-client.ts';
import { processesOf, residentMb } from './resident.ts';

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '1000' }, idle: { type: 'string', default: '30' } },
});
const jobs = Number(values.jobs);
const idleSeconds = Number(values.idle);
/** Megabytes that it may take, with nothing done yet and after the jobs. */
const [mostIdle, mostAfter] = [280, 450];
const uploadsAtOnce = 4;
const terminal = new Set(['completed', 'partial', 'failed', 'cancelled']);
const samples = ['intrusion-security', 'intrusion-sysmon', 'intrusion-powershell'];
const logs = samples.map((name) => readFileSync(join(projectRoot(), `config/samples/${name}.evtx`)));

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const server = await startServer({
  env: {
    UPLOAD_RATE_LIMIT_PER_MINUTE: '0',
    API_TOKEN_RATE_LIMIT_PER_MINUTE: '0',
    // Half of the places are one visitor's.
    UPLOAD_MAX_CONCURRENT: String(2 * uploadsAtOnce),
    LOG_LEVEL: 'ERROR',
  },
});
try {
  await sleep(idleSeconds * 1000);
  tell('idle', mostIdle);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, residentMb(server.pid).resident)), 500);
  const from = performance.now();
  await analyseMany();
  const seconds = (performance.now() - from) / 1000;
  clearInterval(watch);
  print(
    `${jobs} jobs in ${seconds.toFixed(0)} s, ${(jobs / seconds).toFixed(1)} a second; ${most.toFixed(0)} MB at most`,
  );
  await sleep(idleSeconds * 1000);
  tell(`after ${jobs} jobs`, mostAfter);
} finally {
  await server.stop();
  await server.remove();
}
process.exit();

function tell(when: string, most: number): void {
  const { resident, shared } = residentMb(server.pid);
  print(`${when}: ${resident.toFixed(0)} MB (at most ${most}) ${resident <= most ? '✓' : '✗'}`);
  print(`  what several processes share counted once; ${shared.toFixed(0)} MB when it is counted for each`);
  for (const { name, resident: own } of processesOf(server.pid)) print(`  ${own.toFixed(0).padStart(4)} MB  ${name}`);
  if (resident > most) process.exitCode = 1;
}

/** Event logs, each with other bytes and the same findings, so many at a time. */
async function analyseMany(): Promise<void> {
  const { workflows } = JSON.parse((await send(`${server.url}/api/v1/workflows`)).body) as { workflows: Workflow[] };
  const workflow = workflows.find(({ is_default: isDefault }) => isDefault) ?? workflows[0];
  if (!workflow) throw new Error('there is no workflow');
  await inParallel(jobs, uploadsAtOnce, async (index) => {
    const log = variedLog(logs[index % logs.length]!, index);
    const [head, tail] = formAround({ workflow_id: workflow.id }, `${index}.evtx`);
    const content = Buffer.concat([head, log, tail]);
    const answer = await send(`${server.url}/upload`, {
      method: 'POST',
      headers: { 'content-type': formType },
      content,
    });
    if (answer.status !== 202) throw new Error(`the submission was answered ${answer.status}: ${answer.body}`);
    await ended((JSON.parse(answer.body) as SubmittedJob).job_id);
  });
}

async function ended(id: number): Promise<void> {
  for (;;) {
    const { jobs: states } = JSON.parse((await send(`${server.url}/api/v1/jobs?ids=${id}`)).body) as JobStates;
    if (states.every(({ status }) => terminal.has(status))) return;
    await sleep(50);
  }
}
