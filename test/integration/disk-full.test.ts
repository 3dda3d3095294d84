import type { JobProgress, SubmittedJob, Workflow } from '@svc/contracts';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type Server } from '../support/server.ts';
import { mountSmallDisk, type SmallDisk, whyNoSmallDisk } from '../support/small-disk.ts';

const gibibyte = 1024 ** 3;
/** Above the floor below which uploads are refused. */
const roomy = gibibyte + 300 * 1024 ** 2;
const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));

const missing = whyNoSmallDisk();
if (missing !== null) console.warn(`skipped: a full disk: ${missing}`);
// oxlint-disable-next-line vitest/no-disabled-tests -- it needs an account that may mount
describe.skipIf(missing !== null)('a full disk', () => {
  const env = { UPLOAD_RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'ERROR' };
  let disk: SmallDisk;
  let server: Server;
  let bytes: Uint8Array<ArrayBuffer>;
  let workflow: string;
  beforeAll(async () => {
    disk = mountSmallDisk();
    disk.leave(roomy);
    bytes = new Uint8Array(await readFile(sample));
    server = await startServer({ dataDir: join(disk.folder, 'data'), env });
    const { workflows } = await get<{ workflows: Workflow[] }>('/api/v1/workflows');
    workflow = String(workflows.find((one) => one.is_default)!.id);
  });
  afterAll(async () => {
    await server?.stop();
    disk?.remove();
  });

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(server.url + path, { headers: { accept: 'application/json' } });
    return (await response.json()) as T;
  }

  async function upload(name: string): Promise<{ status: number; answer: SubmittedJob & { code?: string } }> {
    const body = new FormData();
    body.set('workflow_id', workflow);
    body.set('file', new Blob([bytes]), name);
    const response = await fetch(`${server.url}/upload`, { method: 'POST', body });
    return { status: response.status, answer: (await response.json()) as SubmittedJob };
  }

  async function completed(id: number): Promise<void> {
    for (const deadline = Date.now() + 150_000; Date.now() < deadline; await sleep(200)) {
      const { status, terminal } = await get<JobProgress>(`/jobs/${id}/status`);
      if (terminal) return expect([id, status]).toEqual([id, 'completed']);
    }
    throw new Error(`job ${id} did not complete:\n${server.output()}`);
  }

  it('takes no upload, loses none that was taken, and is forgotten when there is space again', async () => {
    const taken = [];
    for (const name of ['a.evtx', 'b.evtx', 'c.evtx']) taken.push(await upload(name));
    expect(taken.map(({ status }) => status)).toEqual([202, 202, 202]);
    disk.leave(0);
    expect(await upload('d.evtx')).toMatchObject({ status: 507, answer: { code: 'low_space' } });
    await sleep(2000);
    expect(await get('/health')).toMatchObject({ status: 'ok', space: 'low' });
    disk.leave(roomy);
    const after = await upload('d.evtx');
    expect(after.status).toBe(202);
    for (const { answer } of [...taken, after]) await completed(answer.job_id);
    expect(await get('/jobs')).toMatchObject({ total: 4 });
  }, 300_000);

  it('ends an upload that it overtakes, and keeps nothing of it', async () => {
    const boundary = 'x-boundary';
    const part = (name: string, more = ''): string =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const head = `${part('workflow_id')}${workflow}\r\n${part('file', '; filename="big.evtx"')}`;
    const [first, rest] = [Buffer.concat([Buffer.from(head), bytes]), Buffer.alloc(32 * 1024 ** 2, 1)];
    const tail = `\r\n--${boundary}--\r\n`;
    const answered = new Promise<unknown>((resolve, reject) => {
      const sending = request(`${server.url}/upload`, {
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': first.length + rest.length + tail.length,
        },
      });
      sending.on('response', (response) => void json(response).then(resolve, reject)).on('error', reject);
      sending.write(first);
      setTimeout(() => {
        disk.leave(1024 ** 2);
        sending.write(rest);
        sending.end(tail);
      }, 1000);
    });
    expect(await answered).toMatchObject({ code: 'low_space' });
    // What was written of it is free again.
    disk.leave(0);
    disk.leave(roomy);
    expect(await get('/jobs')).toMatchObject({ total: 4 });
    const small = await upload('e.evtx');
    expect(small.status).toBe(202);
    await completed(small.answer.job_id);
  });

  it('does no harm to the database, as the next start shows', async () => {
    disk.leave(0);
    await server.stop('SIGKILL');
    disk.leave(roomy);
    server = await startServer({ dataDir: join(disk.folder, 'data'), env });
    expect(await get('/jobs')).toMatchObject({ total: 5 });
    const again = await upload('f.evtx');
    expect(again.status).toBe(202);
    await completed(again.answer.job_id);
  });
});
