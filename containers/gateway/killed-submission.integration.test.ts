import { makeServerDatabase } from '@svc/adapters/testing/test-database.ts';
import type { JobList, JobProgress, SubmittedJob, UploadTicket, Workflow } from '@svc/contracts';
import { writeEvtx } from '@svc/engine/testing';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../../test/support/programs.ts';
import { bundleService, Service } from './testing/killable-service.ts';

/** More steps than a submission has. */
const manySteps = 60;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-steps-'));
  await bundleService();
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A log of its own. */
function logOf(name: string): Uint8Array<ArrayBuffer> {
  const event = {
    provider: 'Microsoft-Windows-Sysmon',
    eventId: 1,
    time: '2026-08-01T10:00:00Z',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    computer: 'ws1.example.org',
    data: { Image: 'C:\\Windows\\System32\\whoami.exe', CommandLine: `whoami ${name}` },
  };
  return new Uint8Array(writeEvtx([event]));
}

interface File {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly key: string;
  readonly workflow: number;
}
/** How a client gets a file to the service; the answer to what makes the job, or to what failed before it. */
type Submit = (service: Service, file: File) => Promise<Response>;

const asForm: Submit = async (service, { name, bytes, key, workflow }) => {
  const body = new FormData();
  body.set('workflow_id', String(workflow));
  body.set('file', new Blob([bytes]), `${name}.evtx`);
  return service.send('/api/v1/jobs', { method: 'POST', body, headers: { 'idempotency-key': key } });
};

const asReservedUpload: Submit = async (service, { name, bytes, key, workflow }) => {
  const post = (path: string, fields: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return service.send(path, { method: 'POST', headers, body: JSON.stringify(fields) });
  };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const reserved = await post('/api/v1/uploads', { filename: `${name}.evtx`, size_bytes: bytes.length, sha256 });
  if (!reserved.ok) return reserved;
  const { upload_id, url, headers, method } = (await reserved.json()) as UploadTicket;
  const sent = await service.send(new URL(url, service.url).pathname, { method, headers, body: bytes });
  return sent.ok ? post('/api/v1/jobs', { upload_id, workflow_id: workflow }) : sent;
};

async function completed(service: Service, id: number): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(50)) {
    const { status, terminal } = await service.get<JobProgress>(`/jobs/${id}/status`);
    if (terminal) return expect([id, status]).toEqual([id, 'completed']);
  }
  throw new Error(`job ${id} did not complete`);
}

/** What a client does that got no answer: it asks for the receipt, then sends the same again; twice, to be sure. */
async function askAndRepeat(service: Service, submit: Submit, file: File): Promise<{ id: number; known: boolean }> {
  const receipt = await service.send(`/api/v1/submissions/${file.key}`);
  expect([200, 404]).toContain(receipt.status);
  const known = receipt.ok ? ((await receipt.json()) as SubmittedJob).job_id : null;
  const first = await submit(service, file);
  const second = await submit(service, file);
  expect([first.status, second.status]).toEqual([known === null ? 202 : 200, 200]);
  const { job_id: id } = (await first.json()) as SubmittedJob;
  expect((await second.json()) as SubmittedJob).toMatchObject({ job_id: id });
  if (known !== null) expect(id).toBe(known);
  return { id, known: known !== null };
}

describeWith('postgres', 'a service', () => {
  describe.each([
    ['a form with a new file', asForm, logOf],
    ['a form with a file that is stored already', asForm, () => logOf('known')],
    ['a reserved upload', asReservedUpload, logOf],
  ])('a service that is killed at any step of the submission of %s', (what, submit, content) => {
    it('loses nothing that it accepted, and makes no job twice', async () => {
      const folder = { DATA_DIR: join(root, what.replaceAll(' ', '-')) };
      // One of them with the database in the folder, which takes longer.
      const state = submit === asReservedUpload ? folder : { ...folder, DATABASE_URL: await makeServerDatabase() };
      let service = await Service.start(state);
      const { cookie } = service;
      const { workflows } = await service.get<{ workflows: Workflow[] }>('/api/v1/workflows');
      const workflow = workflows.find((one) => one.is_default)!.id;
      expect((await submit(service, { name: 'first', bytes: logOf('known'), key: 'first', workflow })).status).toBe(
        202,
      );
      const accepted = new Map<string, number>();
      const committed = new Set<boolean>();
      for (let step = 1; ; step += 1) {
        expect(step, 'it goes on and on').toBeLessThan(manySteps);
        const file = { name: `${step}`, bytes: content(`${step}`), key: `key-${step}`, workflow };
        await service.dieAt(step);
        const answer = await submit(service, file).catch(() => null);
        // Dead, or all steps are done; an answer can come just before the death.
        await service.stop();
        if (answer) {
          expect(answer.status).toBe(202);
          accepted.set(file.name, ((await answer.json()) as SubmittedJob).job_id);
          break;
        }
        service = await Service.start(state, { cookie });
        const { id, known } = await askAndRepeat(service, submit, file);
        accepted.set(file.name, id);
        committed.add(known);
      }
      // It died on both sides of the commit.
      expect(committed).toEqual(new Set([true, false]));

      service = await Service.start(state, { cookie, as: 'working' });
      for (const id of accepted.values()) await completed(service, id);
      const { jobs } = await service.get<JobList>('/jobs?per=100');
      const names = ['first', ...accepted.keys()].map((name) => `${name}.evtx`);
      expect(jobs.map(({ filename }) => filename).sort()).toEqual(names.sort());
      await service.stop();
    }, 600_000);
  });
});
