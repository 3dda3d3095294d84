import { recordSubmission } from '../submissions/record-submission.ts';
import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { AppError, type Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { removeOldOutputs, removeOldUploads } from './remove-by-age.ts';
import { removeDroppedObjects } from './remove-dropped-objects.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const day = 86_400;
let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(async () => {
  await test.reset();
  ports = test.ports;
  const raw = { chunks: [Buffer.from('{"ts":null}\n')], isTruncated: false };
  test.engine.behave = async () => output({ derived: derived(), raw });
});
afterAll(() => test.close());

const keeping = (outputs: number, uploads: number): Ports => {
  const retentionDays = { ...ports.deployment.retentionDays, outputs, uploads };
  return { ...ports, deployment: { ...ports.deployment, retentionDays } };
};

const analyzed = (text: string): Promise<number> => analyzeLog(ports, visitor, { content: `ElfFile\0${text}` });

async function outputKeys(id: number): Promise<string[]> {
  return (await ports.rawOutputs.ofJob(id)).map(({ storageKey }) => storageKey);
}

const stored = async (keys: readonly string[]): Promise<boolean[]> =>
  Promise.all(keys.map((key) => ports.objects.exists(key)));

it('removes raw outputs after their days, and leaves the report', async () => {
  const old = await analyzed('a');
  test.advance(10 * day);
  const young = await analyzed('b');
  const [oldKeys, youngKeys] = [await outputKeys(old), await outputKeys(young)];
  expect(await stored([...oldKeys, ...youngKeys])).toEqual([true, true, true, true]);
  test.advance(81 * day);
  expect(await removeOldOutputs(ports)).toBe(2);
  expect(await stored([...oldKeys, ...youngKeys])).toEqual([false, false, true, true]);
  expect(await outputKeys(old)).toEqual([]);
  expect((await ports.derivations.analytics(old))?.hours).toHaveLength(1);
  expect((await ports.derivations.alerts(old))?.total).toBe(2);
  expect(await ports.findings.withEvents(old)).toHaveLength(1);
  expect(await removeOldOutputs(ports)).toBe(0);
});

it('goes by the site’s setting before the environment’s, and keeps for ever at 0', async () => {
  await analyzed('a');
  test.advance(20 * day);
  expect(await removeOldOutputs(keeping(0, 0))).toBe(0);
  await ports.settings.change({ jobOutputRetentionDaysOverride: 0 });
  expect(await removeOldOutputs(keeping(7, 0))).toBe(0);
  await ports.settings.change({ jobOutputRetentionDaysOverride: 14 });
  expect(await removeOldOutputs(keeping(0, 0))).toBe(2);
});

it('goes on where a sweep broke off', async () => {
  const keys = await outputKeys(await analyzed('a'));
  test.advance(100 * day);
  const objects = overriding(ports.objects, { delete: () => Promise.reject(new AppError('unavailable', 'no store')) });
  expect(await removeOldOutputs({ ...ports, objects })).toBe(2);
  expect(await stored(keys)).toEqual([true, true]);
  expect(await removeDroppedObjects(ports)).toBe(2);
  expect(await stored(keys)).toEqual([false, false]);
});

it('deletes an upload with its jobs once nobody has submitted it for so long', async () => {
  const first = await analyzed('same');
  const other = await analyzed('other');
  const { file } = (await ports.jobs.get(first))!;
  test.advance(20 * day);
  const again = await analyzed('same');
  test.advance(20 * day);
  expect(await removeOldUploads(keeping(90, 0))).toBe(0);
  expect(await removeOldUploads(keeping(90, 30))).toBe(1);
  expect(await ports.jobs.get(other)).toBeNull();
  expect(await ports.jobs.get(first)).not.toBeNull();
  test.advance(11 * day);
  expect(await removeOldUploads(keeping(90, 30))).toBe(2);
  expect([await ports.jobs.get(first), await ports.jobs.get(again)]).toEqual([null, null]);
  expect(await ports.objects.exists(file.storageKey)).toBe(false);
});

it('leaves the upload of a job that is live, however old', async () => {
  const id = await analyzed('a');
  const { job, file } = (await ports.jobs.get(id))!;
  const { workflowId, logType } = job;
  const who = { submittedBy: null, submitterIp: '', submittedName: 'a', isPrivate: false };
  const marks = { receipt: null, upload: null, caseId: null, tags: [], by: null, at: job.createdAt };
  await recordSubmission(ports, { file: { id: file.id }, job: { workflowId, logType, ...who }, reuse: null, marks });
  test.advance(100 * day);
  expect(await removeOldUploads(keeping(90, 30))).toBe(0);
});
