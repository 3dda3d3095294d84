import { overriding } from '@svc/adapters/testing/overriding.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { AppError } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { backfillDigests } from './backfill-digests.ts';

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

async function submitted(text: string): Promise<number> {
  const { ports } = test;
  const id = await submitLog(ports, { kind: 'anonymous', ip: '192.0.2.1' }, { content: `ElfFile\0${text}` });
  return (await ports.jobs.get(id))!.job.fileId;
}

const various = Array.from({ length: 3000 }, (_, i) => (i * i).toString(36)).join(' ');

it('makes the digests that are missing for more than an hour, once', async () => {
  const { files, objects } = test.ports;
  const ids = [await submitted(various), await submitted('too little'), await submitted(`${various} gone`)];
  const gone = await files.get(ids[2]!);
  await objects.delete(gone!.storageKey);
  expect(await backfillDigests(test.ports)).toBe(0);
  test.advance(3601);
  expect(await backfillDigests(test.ports)).toBe(3);
  const digests = await Promise.all(ids.map(async (id) => (await files.get(id))?.tlsh));
  expect(digests).toEqual([expect.stringMatching(/^T1[0-9A-F]{70}$/), '', '']);
  expect(await backfillDigests(test.ports)).toBe(0);
});

it('leaves one that cannot be read for another time, and goes on to the others', async () => {
  const { ports } = test;
  const ids = [await submitted(various), await submitted(`${various} damaged`), await submitted(`${various} last`)];
  const damaged = (await ports.files.get(ids[1]!))!.storageKey;
  const open = (key: string) => (key === damaged ? Promise.reject(new Error('EIO')) : ports.objects.open(key));
  test.advance(3601);
  expect(await backfillDigests({ ...ports, objects: overriding(ports.objects, { open }) })).toBe(2);
  const away = () => Promise.reject(new AppError('unavailable', 'no store'));
  const lost = backfillDigests({ ...ports, objects: overriding(ports.objects, { open: away }) });
  await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
  expect(await backfillDigests(ports)).toBe(1);
});

it('goes through more than a batch', async () => {
  for (let i = 0; i < 101; i++) await submitted(String(i));
  test.advance(3601);
  expect(await backfillDigests(test.ports)).toBe(101);
});
