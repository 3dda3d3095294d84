import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAwsMode, type AwsMode } from '../../localstack/aws-mode.ts';
import { startHostServers, type Servers } from '../../localstack/servers.ts';
import { allEnded, leftIn, otherThanSamples, submitLoad } from '../load/queue-load.ts';
import { awsClients } from '../support/aws-resources.ts';
import { describeWith } from '../support/programs.ts';
import type { Program } from '../support/server.ts';
import { sharedData } from '../support/shared-data.ts';
import { slotClient, type SlotClient } from '../support/slot-client.ts';

const login = { email: 'admin@example.org', password: 'correct horse battery' };
const sampleOf = (name: string): string =>
  fileURLToPath(new URL(`../../config/samples/intrusion-${name}.evtx`, import.meta.url));
const real = sharedData('evtx', 'sysmon-atomic-red-team.evtx');
const files = 40;

/** An engine of others in the place of Hayabusa: hangs the first time, then finds what it was given, and says so. */
const engine = `#!${execPath}
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const after = (option) => process.argv[process.argv.indexOf(option) + 1];
const begun = __filename + '.pid';
if (existsSync(begun)) {
  const RuleTitle = createHash('sha256').update(readFileSync(after('-f'))).digest('hex') + ' ' + Object.keys(process.env).sort();
  const found = { RuleTitle, Timestamp: '2026-08-01T10:15:00Z', Level: 'high', Computer: 'ws1', Channel: 'Security', EventID: 4688, RecordID: 1, Details: { User: 'alice' } };
  writeFileSync(after('-o'), JSON.stringify(found) + '\\n');
} else {
  writeFileSync(begun, String(process.pid));
  setInterval(() => 0, 1000);
}
`;

describeWith('postgres', 'the AWS mode', () => {
  describeWith('redis', 'with a key-value store', () => {
    describeWith('s3', 'on LocalStack', () => {
      describeWith('dynamodb', 'deployed by the CDK', () => {
        let folder = '';
        let servers: Servers;
        let mode: AwsMode;
        let client: SlotClient;
        let clients: ReturnType<typeof awsClients>;
        let s3: S3Client;
        let program = '';
        let engineWorkflow = 0;
        beforeAll(async () => {
          folder = await mkdtemp(join(tmpdir(), 'svc-aws-mode-'));
          servers = await startHostServers({ folder });
          const limits = ['UPLOAD', 'AUTHENTICATED_UPLOAD', 'API_TOKEN'];
          mode = await startAwsMode(servers, {
            folder,
            env: {
              ...Object.fromEntries(limits.map((name) => [`${name}_RATE_LIMIT_PER_MINUTE`, '0'])),
              ADMIN_EMAIL: login.email,
              ADMIN_PASSWORD: login.password,
              FAST_LANE_MAX_MB: '1',
              WORKER_HEARTBEAT_INTERVAL: '2',
              WORKER_HEARTBEAT_TTL: '8',
            },
          });
          client = await slotClient(mode.gateway.url, login);
          program = join(folder, 'hayabusa');
          await writeFile(program, engine, { mode: 0o755 });
          const tasks = `tasks: [{ tool: evtx-timeline, tool_path: '${program}', timeout: 300 }]`;
          engineWorkflow = await client.makeWorkflow('An engine of others', tasks);
          clients = awsClients(mode.env);
          s3 = new S3Client({
            endpoint: servers.aws.endpoint,
            forcePathStyle: true,
            region: mode.env['AWS_REGION'] ?? '',
            credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
          });
        }, 600_000);
        afterAll(async () => {
          await mode?.stop();
          await servers?.stop();
          await rm(folder, { recursive: true, force: true });
        }, 120_000);

        async function stored(): Promise<readonly string[]> {
          const listed = await s3.send(new ListObjectsV2Command({ Bucket: mode.env['S3_BUCKET'] }));
          return (listed.Contents ?? []).map(({ Key }) => Key ?? '');
        }

        it('takes a real log by a signed request, and keeps its task until a worker comes', async () => {
          const log = await readFile(existsSync(real) ? real : sampleOf('sysmon'));
          const ticket = await client.reserve('Sysmon.evtx', log);
          expect(new URL(ticket.url).origin).toBe(servers.aws.endpoint);
          expect(ticket.url).toContain(mode.env['S3_BUCKET']);
          expect((await client.send(ticket, log)).status).toBe(200);
          const accepted = await client.submitUpload(ticket.upload_id);
          expect(accepted.status).toBe(202);
          const { job_id: id } = (await accepted.json()) as { job_id: number };

          const [key = ''] = await stored();
          const object = await s3.send(new GetObjectCommand({ Bucket: mode.env['S3_BUCKET'], Key: key }));
          expect(Buffer.compare(await object.Body!.transformToByteArray(), log)).toBe(0);
          const lane = log.length > 1_048_576 ? 'TASKQ_SQS_HEAVY_URL' : 'TASKQ_SQS_URL';
          expect(await leftIn(clients, mode.env)).toMatchObject({ [lane]: 1, TASKQ_LEDGER_TABLE: 1 });
          expect((await client.states([id]))[0]?.status).toBe('pending');

          await mode.worker();
          expect(await allEnded(client, [id])).toEqual({ completed: 1 });
          const report = await client.report(id);
          expect(report).not.toEqual([]);
          if (log.length > 0 && existsSync(real))
            expect(report.join('\n')).toContain('Shadow Copies Or Recovery Options Removed');
          await expect.poll(async () => total(await leftIn(clients, mode.env)), { timeout: 30_000 }).toBe(0);
        }, 300_000);

        it('has the store refuse other bytes than were announced', async () => {
          const log = await readFile(sampleOf('powershell'));
          const other = Buffer.from(Uint8Array.from(log).buffer);
          other[other.length - 1]! ^= 1;
          const before = await stored();
          const ticket = await client.reserve('Powershell.evtx', log);
          const refused = await client.send(ticket, other);
          expect(refused.status).toBe(400);
          expect(await refused.text()).toMatch(/BadDigest|InvalidRequest/);
          expect(await stored()).toEqual(before);
          const unsubmitted = await client.submitUpload(ticket.upload_id);
          expect(unsubmitted.status).toBe(409);
          expect(await unsubmitted.json()).toMatchObject({ code: 'upload_incomplete' });
        });

        it(`analyses ${files} logs once each by two workers, one of which is killed in the middle of a job`, async () => {
          const samples = await Promise.all(
            ['powershell', 'security', 'sysmon'].map((name) => readFile(sampleOf(name))),
          );
          const doomed = await mode.worker();
          const [ids] = await Promise.all([submitLoad(client, samples, files), killedInMidJob(doomed)]);
          expect(new Set(ids).size).toBe(files);
          expect(await allEnded(client, ids)).toEqual({ completed: files });
          expect(await otherThanSamples(client, samples, ids)).toEqual([]);
          await expect.poll(async () => total(await leftIn(clients, mode.env)), { timeout: 30_000 }).toBe(0);
        }, 600_000);

        it('runs an engine of others on the heavy lane, by another worker when one is killed with it', async () => {
          await Promise.all(mode.workers.map((worker) => worker.stop()));
          const log = await readFile(sampleOf('security'));
          const id = await client.submit('Security.evtx', log, engineWorkflow);
          expect(await leftIn(clients, mode.env)).toMatchObject({ TASKQ_SQS_URL: 0, TASKQ_SQS_HEAVY_URL: 1 });

          const doomed = await mode.worker();
          const pid = (): Promise<string> => readFile(`${program}.pid`, 'utf8').catch(() => '');
          await expect.poll(pid, { timeout: 120_000 }).not.toBe('');
          expect((await client.states([id]))[0]?.status).toBe('running');
          await doomed.stop('SIGKILL');
          // As it would with the container that both were in.
          kill(Number(await pid()), 'SIGKILL');

          await mode.worker();
          expect(await allEnded(client, [id])).toEqual({ completed: 1 });
          const given = createHash('sha256').update(log).digest('hex');
          expect(await client.report(id)).toEqual([`${given} HOME,LANG,PATH,SVC_ENGINE_RUN,TMPDIR: 1`]);
          await expect.poll(async () => total(await leftIn(clients, mode.env)), { timeout: 30_000 }).toBe(0);
        }, 300_000);
      });
    });
  });
});

/** Once it has done some jobs and is at another. */
async function killedInMidJob(worker: Program): Promise<void> {
  const count = (word: string): number => worker.output().split(word).length - 1;
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; await sleep(5)) {
    const done = count('job done');
    if (done >= 3 && count('job begun') > done) {
      await worker.stop('SIGKILL');
      return;
    }
  }
  throw new Error(`it was never at work:\n${worker.output()}`);
}

const total = (left: Readonly<Record<string, number>>): number =>
  Object.values(left).reduce((sum, count) => sum + count, 0);
