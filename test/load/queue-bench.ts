// What the AWS mode takes on this machine: event logs by slots into LocalStack's S3, through its SQS and DynamoDB.
//   [--files N] [--workers N]
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startAwsMode, type AwsMode } from '../../localstack/aws-mode.ts';
import { startHostServers } from '../../localstack/servers.ts';
import { awsClients } from '../support/aws-resources.ts';
import { slotClient } from '../support/slot-client.ts';
import { allEnded, leftIn, otherThanSamples, submitLoad } from './queue-load.ts';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '500' }, workers: { type: 'string', default: '2' } },
});
const [files, workers] = [Number(values.files), Number(values.workers)];
const samples = ['sysmon', 'security', 'powershell'].map((name) =>
  readFileSync(`config/samples/intrusion-${name}.evtx`),
);
const login = { email: 'bench@localhost', password: 'a-password-of-this-benchmark' };
const limits = ['UPLOAD', 'AUTHENTICATED_UPLOAD', 'API_TOKEN'];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Processor time of a process so far, in seconds. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-queue-'));
const servers = await startHostServers({ folder });
try {
  const env = {
    ...Object.fromEntries(limits.map((name) => [`${name}_RATE_LIMIT_PER_MINUTE`, '0'])),
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
  };
  const mode = await startAwsMode(servers, { folder, env });
  try {
    process.exitCode = (await isWellUnderLoad(mode)) ? 0 : 1;
  } catch (error) {
    print(mode.gateway.output().slice(-2000));
    throw error;
  } finally {
    await mode.stop();
  }
} finally {
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

/** Whether every file was analysed once, and nothing is left of it in the queues. */
async function isWellUnderLoad(mode: AwsMode): Promise<boolean> {
  const running = await Promise.all(Array.from({ length: workers }, () => mode.worker()));
  const client = await slotClient(mode.gateway.url, login);
  const megabytes = samples.reduce((sum, { length }) => sum + length, 0) / samples.length / 1e6;
  print(
    `${files} event logs of ${megabytes.toFixed(2)} MB, 4 at a time, ${workers} workers; ${availableParallelism()} cores, shared with this program and LocalStack`,
  );
  const programs = [mode.gateway, ...running];
  const before = programs.map(({ pid }) => cpuSeconds(pid));
  const from = performance.now();
  const ids = await submitLoad(client, samples, files);
  const accepted = (performance.now() - from) / 1000;
  const ends = await allEnded(client, ids);
  const ended = (performance.now() - from) / 1000;
  const [gateway = 0, ...analysing] = programs.map(({ pid }, at) => cpuSeconds(pid) - before[at]!);
  const each = (seconds: number): string => `${((seconds * 1000) / files).toFixed(0)} ms`;
  const analysed = analysing.reduce((sum, seconds) => sum + seconds, 0);
  print(
    `  submitted         ${(files / accepted).toFixed(1)}/s; ${each(gateway)} of the gateway's processor time each`,
  );
  print(`  until completed   ${(files / ended).toFixed(1)}/s; ${each(analysed)} of the workers' processor time each`);
  const others = await otherThanSamples(client, samples, ids);
  const left = Object.entries(await leftIn(awsClients(servers.aws.env), mode.env)).filter(([, count]) => count > 0);
  print(`  jobs              ${new Set(ids).size}; ${JSON.stringify(ends)}`);
  print(`  other reports     ${others.length} than their samples'`);
  print(`  left behind       ${left.length === 0 ? 'nothing' : JSON.stringify(Object.fromEntries(left))}`);
  return new Set(ids).size === files && ends['completed'] === files && others.length === 0 && left.length === 0;
}
