import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { JobStates, SubmittedJob, Workflow } from '@svc/contracts';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formType, uploadForm } from '../support/multipart.ts';
import { describeWith } from '../support/programs.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startServer, type Server } from '../support/server.ts';

/** Places for visitors, each of whom has an address of their own here. */
const places = 4;
let visitors = 0;

describeWith('postgres', 'two web processes', () => {
  describeWith('redis', 'that share a key-value store', () => {
    let database: string;
    let redis: RedisServer;
    let dataDir = '';
    let workflow = '';
    const servers: Server[] = [];
    const serverOf = (at: number): Server => servers[at % servers.length]!;

    beforeAll(async () => {
      [database, redis] = await Promise.all([makeServerDatabase(), startRedis()]);
      dataDir = await mkdtemp(join(tmpdir(), 'svc-shared-'));
      const env = {
        DATABASE_URL: database,
        KV_URL: redis.url,
        SECRET_KEY: '0'.repeat(64),
        UPLOAD_MAX_CONCURRENT: String(places + 2),
        TRUST_PROXY_HEADERS: 'true',
        TRUSTED_PROXY_CIDRS: '127.0.0.1',
        UPLOAD_RATE_LIMIT_PER_MINUTE: '0',
        TASKQ_WORKERS: '0',
      };
      for (const _ of [1, 2]) servers.push(await startServer({ dataDir, env }));
      const answer = await fetch(`${serverOf(0).url}/api/v1/workflows`);
      const { workflows } = (await answer.json()) as { workflows: Workflow[] };
      workflow = String(workflows.find((each) => each.is_default)?.id);
    });
    afterAll(async () => {
      for (const server of servers) await server.stop();
      await redis.stop();
      await rm(dataDir, { recursive: true });
    });

    interface Answer {
      readonly status: number;
      readonly fields: Partial<SubmittedJob & { code: string }>;
    }

    /** Sends a form in so many pieces, with a pause after each. */
    function send(server: Server, form: Buffer, pieces: number, pauseMs: number): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const address = `192.0.2.${++visitors % 256}`;
        const sent = { 'content-type': formType, 'content-length': form.length, accept: 'application/json' };
        const headers = { ...sent, 'x-forwarded-for': address };
        const request = httpRequest(`${server.url}/upload`, { method: 'POST', headers });
        let answered = false;
        request.on('error', reject);
        request.on('response', async (response) => {
          answered = true;
          const fields = JSON.parse(await text(response)) as Answer['fields'];
          resolve({ status: response.statusCode!, fields });
          request.destroy();
        });
        const size = Math.ceil(form.length / pieces);
        const write = async (): Promise<void> => {
          for (let at = 0; at < form.length && !answered; at += size) {
            request.write(form.subarray(at, at + size));
            await sleep(pauseMs);
          }
          request.end();
        };
        void write();
      });
    }

    const small = (server: Server): Promise<Answer> => send(server, uploadForm(workflow), 1, 0);

    /** Sends until there is a place; the job's id. */
    async function persist(server: Server, form: Buffer): Promise<number> {
      for (;;) {
        const { status, fields } = await send(server, form, 3, 40);
        if (status === 202) return fields.job_id!;
        expect([status, fields.code]).toEqual([429, 'busy']);
        await sleep(200);
      }
    }

    const health = async (server: Server): Promise<unknown> => {
      const { kv, status } = (await (await fetch(`${server.url}/health`)).json()) as { kv: string; status: string };
      return [kv, status];
    };

    async function expectAllThere(jobs: readonly number[]): Promise<void> {
      for (let at = 0; at < jobs.length; at += 50) {
        const ids = jobs.slice(at, at + 50);
        const answer = await fetch(`${serverOf(at).url}/api/v1/jobs?ids=${ids.join(',')}`);
        const states = (await answer.json()) as JobStates;
        expect(states.unavailable_ids).toEqual([]);
        expect(states.jobs).toHaveLength(ids.length);
      }
    }

    it('receive no more uploads at once together than one of them', async () => {
      const folder = join(dataDir, 'objects/incoming');
      let most = 0;
      let over = false;
      const watch = async (): Promise<void> => {
        while (!over) {
          most = Math.max(most, (await readdir(folder)).length);
          await sleep(1);
        }
      };
      const watching = watch();
      const jobs = await Promise.all(
        Array.from({ length: 60 }, (_, at) => persist(serverOf(at), uploadForm(workflow, 200_000))),
      );
      over = true;
      await watching;
      expect(new Set(jobs).size).toBe(60);
      expect(most).toBe(places);
      await expectAllThere(jobs);
    });

    it('lose nothing when the store stops and starts in the middle of uploads', async () => {
      const slow = Array.from({ length: places }, (_, at) =>
        send(serverOf(at), uploadForm(workflow, 300_000), 48, 250),
      );
      await sleep(1000);
      expect((await small(serverOf(0))).fields.code).toBe('busy');
      await redis.stop();
      for (const server of servers) {
        await expect.poll(() => health(server), { timeout: 20_000 }).toEqual(['error', 'error']);
        const refused = await small(server);
        expect([refused.status, refused.fields.code]).toEqual([503, 'coordination_down']);
        expect((await fetch(`${server.url}/api/v1/workflows`)).status).toBe(200);
      }
      // Past the first renewal of the leases, which nobody answers.
      await sleep(5000);
      await redis.start();
      const answers = await Promise.all(slow);
      expect(answers.map(({ status }) => status)).toEqual(Array(places).fill(202));
      for (const server of servers) await expect.poll(() => health(server), { timeout: 20_000 }).toEqual(['ok', 'ok']);
      const after = await Promise.all(servers.map((server) => persist(server, uploadForm(workflow))));
      await expectAllThere([...answers.map(({ fields }) => fields.job_id!), ...after]);
      const together = Array.from({ length: places }, (_, at) => persist(serverOf(at), uploadForm(workflow)));
      await expectAllThere(await Promise.all(together));
      for (const server of servers) {
        expect(server.output().match(/key-value store is away/g)).toHaveLength(1);
        expect(server.output().match(/key-value store is back/g)).toHaveLength(1);
      }
    });
  });
});
