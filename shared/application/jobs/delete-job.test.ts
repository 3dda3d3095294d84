import { analysisKey } from '@svc/contracts/tasks.ts';
import { untilAborted } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { submitLog, receivedAnalysis } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { AppError, fileNumber, type Actor } from '@svc/domain';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { analyzeJob } from '../analysis/analyze-job.ts';
import { handleLease } from '../analysis/handle-lease.ts';
import { recoverStuckJobs } from '../analysis/recover-stuck-jobs.ts';
import { removeDroppedObjects } from '../work/remove-dropped-objects.ts';
import type { Ports } from '../ports/ports.ts';
import { resubmitJob } from '../submissions/resubmit-job.ts';
import { deleteJob } from './delete-job.ts';
import { deleteJobs } from './delete-jobs.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

async function submitted(text = 'ElfFile\0'): Promise<{ id: number; key: string; fileId: number }> {
  const id = await submitLog(ports, visitor, { content: text });
  const record = await ports.jobs.get(id);
  return { id, key: record!.file.storageKey, fileId: fileNumber(record!.file.sha256) };
}

const received = () => receivedAnalysis(ports);

it('removes an analysed job and its file from the store', async () => {
  const { id, key } = await submitted();
  await analyzeJob(ports, await received(), new AbortController().signal);
  expect(await deleteJob(ports, visitor, { id })).toEqual({ deleted: 1 });
  expect(await ports.jobs.get(id)).toBeNull();
  expect(await ports.objects.exists(key)).toBe(false);
  expect(await ports.droppedObjects.list({ by: ports.clock.now(), after: '', limit: 10 })).toEqual([]);
  await expect(deleteJob(ports, visitor, { id })).rejects.toMatchObject({ code: 'not_found' });
});

it('takes a waiting job out of the queue', async () => {
  const { id } = await submitted();
  await deleteJob(ports, visitor, { id });
  expect(await ports.ledger.state(analysisKey(id))).toBeNull();
  expect(await recoverStuckJobs(ports, 'sweep')).toBe(0);
});

it('lets the worker of a running job end, and nothing come back', async () => {
  const started = new EventEmitter();
  const begun = once(started, 'begun');
  test.engine.behave = untilAborted(() => void started.emit('begun'));
  const { id, key } = await submitted();
  const working = handleLease(ports, await received(), { leave: new AbortController().signal });
  await begun;
  await deleteJob(ports, visitor, { id });
  expect(await working).toBe('finished');
  expect(await ports.jobs.get(id)).toBeNull();
  expect(await ports.jobViews.tasks(id)).toEqual([]);
  expect(await ports.ledger.state(analysisKey(id))).toBeNull();
  expect(await ports.objects.exists(key)).toBe(false);
});

it('is undone by no worker that receives the job after it', async () => {
  const { id } = await submitted();
  const lease = await received();
  await deleteJob(ports, visitor, { id });
  expect(await handleLease(ports, lease, { leave: new AbortController().signal })).toBe('finished');
  expect(test.engine.inputs).toEqual([]);
});

it('happens though queue and store are out of reach; the store is rid of the object later', async () => {
  const { id, key } = await submitted();
  const gone = () => Promise.reject(new AppError('unavailable', 'no store'));
  const objects = overriding(ports.objects, { delete: gone });
  const ledger = overriding(ports.ledger, { remove: gone });
  expect(await deleteJob({ ...ports, ledger, objects }, visitor, { id })).toEqual({ deleted: 1 });
  expect(await removeDroppedObjects({ ...ports, objects })).toBe(0);
  expect(await ports.objects.exists(key)).toBe(true);
  expect(await removeDroppedObjects(ports)).toBe(1);
  expect(await ports.objects.exists(key)).toBe(false);
  expect(await removeDroppedObjects(ports)).toBe(0);
});

it('keeps the file while another job is on it, and refuses to analyse it again afterwards', async () => {
  const [one, two] = [await submitted(), await submitted()];
  expect(two.fileId).toBe(one.fileId);
  await deleteJob(ports, visitor, { id: one.id });
  expect(await ports.objects.exists(one.key)).toBe(true);
  await deleteJob(ports, visitor, { id: two.id });
  expect(await ports.objects.exists(one.key)).toBe(false);
  const account = { email: 'a@x.org', passwordHash: '', role: 'admin', displayName: null } as const;
  const { id: userId, email, role } = await ports.accounts.create(account);
  const admin: Actor = { kind: 'account', userId, email, role, ip: '' };
  const again = resubmitJob(ports, admin, { file_id: one.fileId, workflow_id: 1 });
  await expect(again).rejects.toMatchObject({ code: 'not_found' });
});

it('deletes many and skips those that are not there', async () => {
  const jobs = [await submitted('ElfFile\0 1'), await submitted('ElfFile\0 2'), await submitted('ElfFile\0 3')];
  const [first, second, third] = jobs.map(({ id }) => id);
  expect(await deleteJobs(ports, visitor, { job_ids: [first!, second!, first!, 2_000_000_000] })).toEqual({
    deleted: 2,
  });
  expect(await ports.jobs.get(first!)).toBeNull();
  expect(await ports.jobs.get(third!)).not.toBeNull();
});
