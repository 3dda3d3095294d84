import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { JobDetail, JobProgress, SubmittedJob } from '@svc/contracts';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bigLog, writeBigLog } from '../support/big-log.ts';
import { describeWith } from '../support/programs.ts';
import { startS3, type S3Server } from '../support/s3-server.ts';
import { startServer, startWorkerProcess, type Program, type Server } from '../support/server.ts';

describeWith('s3', 'a worker on another host', () => {
  describeWith('postgres', 'that shares the database and the bucket, and no disk', () => {
    let folder = '';
    let database: string;
    let s3: S3Server;
    let web: Server;
    let env: NodeJS.ProcessEnv = {};
    const workers: Program[] = [];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-fleet-'));
      [database, s3] = await Promise.all([makeServerDatabase(), startS3()]);
      env = {
        ...s3.env,
        DATABASE_URL: database,
        SECRET_KEY: '0123456789abcdef'.repeat(4),
        WORKER_HEARTBEAT_INTERVAL: '1',
        WORKER_HEARTBEAT_TTL: '3',
      };
      web = await startServer({ env: { ...env, TASKQ_WORKERS: '0' } });
    });
    afterAll(async () => {
      await Promise.all([web, ...workers].map((program) => program.stop('SIGKILL')));
      await web.remove();
      await s3.remove();
      await rm(folder, { recursive: true, force: true });
    });

    async function worker(): Promise<Program> {
      const program = await startWorkerProcess({ ...env, TASKQ_WORKERS: '1', DATA_DIR: join(folder, 'worker') });
      workers.push(program);
      return program;
    }

    /** Copies of logs, by their names of 32 hex digits. */
    async function copies(): Promise<number> {
      const names = await readdir(join(folder, 'worker/scratch'), { recursive: true }).catch(() => []);
      return names.filter((name) => /[0-9a-f]{32}$/.test(name)).length;
    }

    async function get<T>(path: string): Promise<T> {
      const response = await fetch(web.url + path, { headers: { accept: 'application/json' } });
      return (await response.json()) as T;
    }

    async function when(id: number, wanted: (progress: JobProgress) => boolean): Promise<JobProgress> {
      for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(10)) {
        const progress = await get<JobProgress>(`/jobs/${id}/status`);
        if (wanted(progress)) return progress;
      }
      throw new Error(`job ${id} did not get there:\n${[web, ...workers].map((one) => one.output()).join('\n')}`);
    }

    it('completes what a killed one began, and removes its copy of the log', async () => {
      const log = join(folder, 'big.evtx');
      await writeBigLog(log);
      const form = new FormData();
      form.set('workflow_id', '1');
      form.set('file', await openAsBlob(log), 'big.evtx');
      const accepted = await fetch(`${web.url}/upload`, { method: 'POST', body: form });
      expect(accepted.status).toBe(202);
      const { job_id: id } = (await accepted.json()) as SubmittedJob;
      const first = await worker();
      while ((await copies()) === 0) await sleep(10);
      await first.stop('SIGKILL');
      expect(await copies()).toBe(1);
      await worker();
      expect((await when(id, ({ terminal }) => terminal)).status).toBe('completed');
      const { events, total_findings: found } = await get<JobDetail>(`/jobs/${id}`);
      expect({ events, found }).toEqual({ events: bigLog.events, found: bigLog.matches });
      // The copy is also what the file's digest is made of, after the job.
      await expect.poll(copies, { timeout: 90_000 }).toBe(0);
    });
  });
});
