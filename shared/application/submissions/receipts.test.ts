import { analysisKey } from '@svc/contracts/tasks.ts';
import { contentOf } from '@svc/adapters/testing/content.ts';
import { plainSubmission } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { fileNumber, type Actor, type Role } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import type { FileInput } from './accept-file.ts';
import { getSubmission } from './get-submission.ts';
import { resubmitJob } from './resubmit-job.ts';
import { spoolUpload } from './spool-upload.ts';
import { submitJob } from './submit-job.ts';
import { uploadFile } from './upload-file.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const evtx = Buffer.concat([Buffer.from('ElfFile\0'), Buffer.alloc(5000, 7)]);

let test: TestPorts;
let ports: Ports;
let windows: number;
let ada: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  windows = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
  ada = await signedIn('ada');
});
afterAll(() => test.close());

async function signedIn(name: string, role: Role = 'user'): Promise<Actor> {
  const email = `${name}@example.org`;
  const { id } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '192.0.2.7' };
}

async function input(over: Partial<FileInput> = {}, name = 'a.evtx', content: Uint8Array = evtx): Promise<FileInput> {
  const file = await spoolUpload(ports, { fileName: name, content: contentOf(content) });
  return { ...plainSubmission, workflow_id: windows, idempotency_key: 'key-1', file, ...over };
}

async function queued(): Promise<number> {
  let count = 0;
  while ((await ports.tasks.receive({ worker: 'w', waitMs: 0 })) !== null) count++;
  return count;
}

describe('a submission with a key', () => {
  it('is answered once and again with the same job, which is queued once', async () => {
    const first = await submitJob(ports, ada, await input());
    const again = await submitJob(ports, ada, await input());
    expect(first).toMatchObject({ reused: false, replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await queued()).toBe(1);
  });

  it('is queued by a retry when the first attempt ended before it could', async () => {
    const { job_id: id } = await submitJob(ports, ada, await input());
    await ports.ledger.remove(analysisKey(id));
    await submitJob(ports, ada, await input());
    expect(await queued()).toBe(1);
  });

  it('makes one job of many retries at once, and keeps the bytes once', async () => {
    const inputs = await Promise.all(Array.from({ length: 8 }, () => input()));
    const answers = await Promise.all(inputs.map((one) => submitJob(ports, ada, one)));
    expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await queued()).toBe(1);
    const stored = await Promise.all(inputs.map(({ file }) => ports.objects.exists(file.key)));
    expect(stored.filter(Boolean)).toHaveLength(1);
  });

  it.each([
    ['name', async () => input({}, 'b.evtx')],
    ['content', async () => input({}, 'a.evtx', Buffer.concat([evtx, Buffer.from('more')]))],
    ['option', async () => input({ is_private: true })],
  ])('is refused with another %s', async (_, other) => {
    await submitJob(ports, ada, await input());
    const refused = await other();
    await expect(submitJob(ports, ada, refused)).rejects.toMatchObject({ code: 'key_reused' });
    expect(await ports.objects.exists(refused.file.key)).toBe(false);
  });

  it('belongs to its account', async () => {
    const first = await submitJob(ports, ada, await input());
    const other = await submitJob(ports, await signedIn('eve'), await input());
    expect(other.job_id).not.toBe(first.job_id);
  });

  it('gets a receipt for a job that was there before', async () => {
    const first = await submitJob(ports, ada, await input({ idempotency_key: null }));
    const reused = await submitJob(ports, ada, await input({ force_resubmit: false }));
    expect(reused).toMatchObject({ job_id: first.job_id, reused: true, replayed: false });
    expect(await getSubmission(ports, ada, { key: 'key-1' })).toMatchObject({ job_id: first.job_id, reused: true });
  });

  it.each(['', 'a b', 'ü', 'x'.repeat(129), 'a\u0000'])('is refused when the key is %j', async (key) => {
    await expect(submitJob(ports, ada, await input({ idempotency_key: key }))).rejects.toMatchObject({
      code: 'bad_key',
    });
  });

  it('is not for visitors', async () => {
    await expect(uploadFile(ports, visitor, await input())).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('a receipt', () => {
  it('tells what the key has led to', async () => {
    const { replayed: _, ...answer } = await submitJob(ports, ada, await input({ idempotency_key: 'a/b?c' }));
    expect(await getSubmission(ports, ada, { key: 'a/b?c' })).toEqual(answer);
  });

  it('is missing before, and for others', async () => {
    await submitJob(ports, ada, await input());
    const missing = { code: 'no_receipt' };
    await expect(getSubmission(ports, ada, { key: 'other' })).rejects.toMatchObject(missing);
    await expect(getSubmission(ports, await signedIn('eve'), { key: 'key-1' })).rejects.toMatchObject(missing);
    await expect(getSubmission(ports, ada, { key: 'a b' })).rejects.toMatchObject({ code: 'bad_key' });
  });
});

describe('resubmitting', () => {
  const again = async (actor: Actor, fileId: number, workflowId = windows) =>
    resubmitJob(ports, actor, { file_id: fileId, workflow_id: workflowId });
  const fileOf = async (jobId: number): Promise<number> => fileNumber((await ports.jobs.get(jobId))!.file.sha256);

  it('makes a new job like one’s last on the file, and queues it', async () => {
    const hidden = await input({ is_private: true, log_type_override: 'json_evtx', idempotency_key: null });
    const first = await submitJob(ports, ada, hidden);
    const answer = await again(ada, await fileOf(first.job_id));
    expect(answer).toEqual({ job_id: answer.job_id, job_url: `/jobs/${answer.job_id}`, status: 'pending' });
    expect(answer.job_id).not.toBe(first.job_id);
    expect((await ports.jobs.get(answer.job_id))!.job).toMatchObject({
      submittedName: 'a.evtx',
      logType: 'json_evtx',
      isPrivate: true,
    });
    expect(await queued()).toBe(2);
  });

  it('is for those who submitted the file, and administrators', async () => {
    const { job_id } = await submitJob(ports, ada, await input({ is_private: true }));
    const file = await fileOf(job_id);
    await expect(again(visitor, file)).rejects.toMatchObject({ code: 'unauthenticated' });
    const eve = await signedIn('eve', 'member');
    await expect(again(eve, file)).rejects.toMatchObject({ code: 'not_found' });
    const root = await signedIn('root', 'admin');
    const made = (await ports.jobs.get((await again(root, file)).job_id))!.job;
    expect(made).toMatchObject({ submittedName: null, logType: 'evtx', isPrivate: true });
    await uploadFile(ports, visitor, await input({ idempotency_key: null }));
    await expect(again(eve, file)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('by an administrator is public when the file has been', async () => {
    const { job_id } = await uploadFile(ports, visitor, await input({ idempotency_key: null }));
    const root = await signedIn('root', 'admin');
    const made = await again(root, await fileOf(job_id));
    expect((await ports.jobs.get(made.job_id))!.job.isPrivate).toBe(false);
  });

  it('names what does not exist or fit', async () => {
    const { job_id } = await submitJob(ports, ada, await input());
    const file = await fileOf(job_id);
    const syslog = (await ports.workflows.list()).find(({ logTypes }) => !logTypes.includes('evtx'))!;
    await expect(again(ada, 999)).rejects.toMatchObject({ code: 'not_found' });
    await expect(again(ada, file, 999_999)).rejects.toMatchObject({ code: 'unknown_workflow' });
    await expect(again(ada, file, syslog.id)).rejects.toMatchObject({ code: 'workflow_mismatch' });
  });
});
