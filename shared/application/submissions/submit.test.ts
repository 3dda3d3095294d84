import { moveJob } from '../analysis/move-job.ts';
import { MemoryUploadAdmission } from '@svc/adapters/local/memory-upload-admission.ts';
import { brokenContent, contentOf } from '@svc/adapters/testing/content.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { plainSubmission } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { fileNumber, type Actor, type AppError } from '@svc/domain';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getJob } from '../jobs/get-job.ts';
import type { Ports } from '../ports/ports.ts';
import type { FileInput } from './accept-file.ts';
import { admitUpload, checkDeclaredLength } from './admit-upload.ts';
import { spoolUpload, type SpooledFile } from './spool-upload.ts';
import { submitJob } from './submit-job.ts';
import { uploadFile } from './upload-file.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const evtx = Buffer.concat([Buffer.from('ElfFile\0'), Buffer.alloc(200_000, 7)]);

let test: TestPorts;
let ports: Ports;
let windows: number;
let owner: Actor;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  windows = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
  owner = await signedIn('owner@example.org');
});
afterAll(() => test.close());

async function signedIn(email: string, role: 'user' | 'admin' = 'user'): Promise<Actor> {
  const { id } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '192.0.2.7' };
}

function spooled(content: Uint8Array = evtx, fileName = 'Security.evtx'): Promise<SpooledFile> {
  return spoolUpload(ports, {
    fileName,
    content: contentOf(content.subarray(0, 30_000), content.subarray(30_000, 70_000), content.subarray(70_000)),
  });
}

async function input(over: Partial<FileInput> = {}): Promise<FileInput> {
  const plain = { ...plainSubmission, workflow_id: windows, force_resubmit: false };
  return { ...plain, file: over.file ?? (await spooled()), ...over };
}

describe('spooling', () => {
  it('hashes, measures and keeps the head while it streams', async () => {
    const file = await spooled(evtx, 'a\u0000b.evtx');
    expect(file).toMatchObject({ fileName: 'ab.evtx', sizeBytes: evtx.length });
    expect(file.sha256).toBe(createHash('sha256').update(evtx).digest('hex'));
    expect(file.head).toEqual(new Uint8Array(evtx.subarray(0, 65_536)));
    expect(file.key).toMatch(/^[0-9a-f]{32}\.evtx$/);
    const reader = await ports.objects.open(file.key);
    const end = new Uint8Array(8);
    await reader.read(evtx.length - 8, end);
    expect(end).toEqual(new Uint8Array(8).fill(7));
    await reader.close();
  });

  it('takes an empty file', async () => {
    expect(await spooled(new Uint8Array(0))).toMatchObject({ sizeBytes: 0, key: expect.stringMatching(/\.bin$/) });
  });

  it('ends the upload of a file that breaks off', async () => {
    const content = brokenContent('gone');
    await expect(spoolUpload(ports, { fileName: 'x', content })).rejects.toThrow('gone');
    expect(await content.next()).toEqual({ done: true, value: undefined });
  });
});

describe('admission', () => {
  it('goes by the declared length', () => {
    const check = (bytes: number | null) => () => checkDeclaredLength(ports.deployment, bytes);
    expect(check(10 * 1_048_576 + 1_048_576)()).toBe(11_534_336);
    expect(check(null)).toThrow(expect.objectContaining({ code: 'length_required' }));
    expect(check(11 * 1_048_576 + 1)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('leaves a gibibyte free', async () => {
    const objects = overriding(ports.objects, {
      check: async () => ({ freeBytes: 1_073_741_824 + 99 }),
    });
    const sender = { userId: null, ip: '192.0.2.1' };
    await (await admitUpload({ ...ports, objects }, sender, 99)).release();
    await expect(admitUpload({ ...ports, objects }, sender, 100)).rejects.toMatchObject({ code: 'low_space' });
  });

  it('shares places out by network and by account', async () => {
    const uploadAdmission = new MemoryUploadAdmission(4);
    const admit = (userId: string | null, ip: string) =>
      admitUpload({ ...ports, uploadAdmission }, { userId, ip }, 1).then(
        () => 'in',
        (error: AppError) => error.message,
      );
    const full = expect.stringContaining('from you');
    expect([
      await admit(null, '2001:db8::1'),
      await admit(null, '2001:db8::2'),
      await admit(null, '2001:db8::3'),
    ]).toEqual(['in', 'in', full]);
    expect([await admit('a', '2001:db8::1'), await admit('a', '192.0.2.1'), await admit('a', '192.0.2.2')]).toEqual([
      'in',
      'in',
      full,
    ]);
  });
});

describe('submitting', () => {
  it('commits a job and queues it', async () => {
    const answer = await uploadFile(ports, visitor, await input());
    expect(answer).toEqual({
      job_id: answer.job_id,
      status: 'pending',
      reused: false,
      job_url: `/jobs/${answer.job_id}`,
      case_id: null,
      replayed: false,
    });
    expect(await ports.tasks.receive({ worker: 'w', waitMs: 0 })).toMatchObject({ task: { jobId: answer.job_id } });
    expect(await getJob(ports, visitor, { id: answer.job_id })).toMatchObject({
      filename: 'Security.evtx',
      log_type: 'evtx',
      detected_type: 'evtx',
      submitter: 'anonymous',
      size_bytes: evtx.length,
    });
  });

  it('keeps the same bytes once', async () => {
    const first = await input();
    const second = await input({ force_resubmit: true });
    const one = await uploadFile(ports, visitor, first);
    const two = await uploadFile(ports, visitor, second);
    expect(two.job_id).not.toBe(one.job_id);
    expect(await ports.objects.exists(first.file.key)).toBe(true);
    expect(await ports.objects.exists(second.file.key)).toBe(false);
  });

  it('puts the same bytes in place of an object that is lost', async () => {
    const first = await input();
    const { job_id } = await uploadFile(ports, visitor, first);
    await ports.objects.delete(first.file.key);
    const second = await input();
    expect(await uploadFile(ports, visitor, second)).toMatchObject({ job_id, reused: true });
    expect((await ports.jobs.get(job_id))?.file.storageKey).toBe(second.file.key);
    expect(await ports.objects.exists(second.file.key)).toBe(true);
  });

  it('takes the type that the submitter says', async () => {
    const { job_id } = await uploadFile(ports, visitor, await input({ log_type_override: 'json_evtx' }));
    expect((await ports.jobs.get(job_id))?.job.logType).toBe('json_evtx');
    expect((await ports.jobs.get(job_id))?.file.detectedType).toBe('evtx');
  });

  it('says of a file that is no known log why that may be', async () => {
    const message = 'it may be empty, encrypted or damaged';
    const unknown = await input({ log_type_override: 'unknown' });
    await expect(uploadFile(ports, visitor, unknown)).rejects.toMatchObject({
      code: 'workflow_mismatch',
      message: expect.stringContaining(message) as unknown,
    });
    const syslog = await input({ log_type_override: 'syslog' });
    await expect(uploadFile(ports, visitor, syslog)).rejects.not.toThrow(message);
  });

  it.each([
    ['unknown_workflow', { workflow_id: 999_999 }],
    ['invalid_log_type', { log_type_override: 'windows' }],
    ['workflow_mismatch', { log_type_override: 'syslog' }],
  ] as const)('refuses with %s and keeps nothing', async (code, over) => {
    const refused = await input(over);
    await expect(uploadFile(ports, visitor, refused)).rejects.toMatchObject({ code });
    expect(await ports.objects.exists(refused.file.key)).toBe(false);
    expect(await ports.files.findBySha256(refused.file.sha256)).toBeNull();
  });

  it('refuses everything in a demonstration', async () => {
    const refused = await input();
    test.settings.demoMode = true;
    await expect(uploadFile(ports, visitor, refused)).rejects.toMatchObject({ code: 'demo_mode' });
    expect(await ports.objects.exists(refused.file.key)).toBe(false);
  });

  it('asks for an account where one is needed', async () => {
    const refused = await input();
    await expect(submitJob(ports, visitor, refused)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await ports.objects.exists(refused.file.key)).toBe(false);
    expect(await submitJob(ports, owner, await input())).toMatchObject({ status: 'pending' });
  });

  it('makes nothing private for a visitor', async () => {
    const { job_id } = await uploadFile(ports, visitor, await input({ is_private: true }));
    expect((await ports.jobs.get(job_id))?.job.isPrivate).toBe(false);
    const secret = await uploadFile(ports, owner, await input({ is_private: true }));
    await expect(getJob(ports, visitor, { id: secret.job_id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('fails the job, and keeps it, when it cannot be queued', async () => {
    const tasks = overriding(ports.tasks, {
      enqueue: async () => Promise.reject(new Error('no queue')),
    });
    const file = await spooled();
    const submission = uploadFile({ ...ports, tasks }, visitor, await input({ file }));
    await expect(submission).rejects.toMatchObject({ code: 'queue_unreachable' });
    const [failed] = (await ports.jobLists.page(visitor, { filters: [], now: new Date() }, { page: 1, per: 1 })).jobs;
    expect(failed?.job).toMatchObject({ status: 'failed', errorCode: 'queue_unreachable' });
    expect(await ports.objects.exists(file.key)).toBe(true);
  });
});

describe('an earlier job answers', () => {
  it('a visitor, whoever submitted it', async () => {
    const first = await uploadFile(ports, owner, await input());
    const again = await uploadFile(ports, visitor, await input());
    const file = fileNumber(createHash('sha256').update(evtx).digest('hex'));
    expect(again).toMatchObject({ job_id: first.job_id, status: 'pending', reused: true });
    expect(again.job_url).toBe(`/jobs/${first.job_id}?dup=1&file_id=${file}&workflow_id=${windows}`);
    await ports.tasks.receive({ worker: 'w', waitMs: 0 });
    expect(await ports.tasks.receive({ worker: 'w', waitMs: 0 })).toBeNull();
  });

  it('an account only when it is its own', async () => {
    const first = await uploadFile(ports, visitor, await input());
    const own = await uploadFile(ports, owner, await input());
    expect(own).toMatchObject({ reused: false });
    expect(own.job_id).not.toBe(first.job_id);
    expect(await uploadFile(ports, owner, await input())).toMatchObject({ job_id: own.job_id, reused: true });
  });

  it.each([
    ['another name', async () => ({ file: await spooled(evtx, 'Other.evtx') })],
    ['another type', async () => ({ log_type_override: 'json_evtx' })],
    ['force', async () => ({ force_resubmit: true })],
    ['another privacy', async () => ({ is_private: true })],
  ])('not for %s', async (_what, over) => {
    await uploadFile(ports, owner, await input());
    expect(await uploadFile(ports, owner, await input(await over()))).toMatchObject({ reused: false });
  });

  it.each(['failed', 'cancelled'] as const)('not when it %s', async (to) => {
    const { job_id } = await uploadFile(ports, visitor, await input());
    await moveJob(ports, job_id, { from: 'pending', to, at: new Date() });
    expect(await uploadFile(ports, visitor, await input())).toMatchObject({ reused: false });
  });

  it('not when it is hidden from the caller', async () => {
    await uploadFile(ports, owner, await input({ is_private: true }));
    expect(await uploadFile(ports, visitor, await input())).toMatchObject({ reused: false });
  });

  it('and a hidden one after it changes nothing', async () => {
    const { job_id } = await uploadFile(ports, visitor, await input());
    await uploadFile(ports, owner, await input({ is_private: true }));
    expect(await uploadFile(ports, visitor, await input())).toMatchObject({ job_id, reused: true });
  });
});
