import { type NewSubmission, recordSubmission } from '@svc/application/submissions/record-submission.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { UploadSlot, UploadUse } from '@svc/application/submissions/upload-repository.ts';
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';

const at = (minute: number): Date => new Date(Date.UTC(2026, 7, 1, 10, minute));
const id = 'ab'.repeat(16);
const slot: Omit<UploadSlot, 'outcome'> = {
  id,
  fileName: 'Security.evtx',
  sizeBytes: 5_000_000_000,
  sha256: 'cd'.repeat(32),
  userId: '00000000-0000-4000-8000-000000000000',
  ip: '192.0.2.1',
  storageKey: null,
  createdAt: at(0),
  expiresAt: at(60),
};
const gigabytes = (count: number): number => count * 1_000_000_000;
const quota = { owner: 'account:one', maxBytes: 0 };
const use = { id, fingerprint: 'ef'.repeat(32), until: at(90) };

type UploadPorts = Pick<Ports, 'jobs' | 'jobViews' | 'transaction' | 'uploads' | 'workflows'>;

/** A job of the first workflow. */
async function submission(ports: UploadPorts, upload: UploadUse | null): Promise<NewSubmission> {
  const storageKey = `${randomBytes(16).toString('hex')}.evtx`;
  const { sha256, sizeBytes, ip, fileName } = slot;
  return {
    file: { originalName: fileName, storageKey, sha256, sizeBytes, detectedType: 'evtx', uploaderIp: ip },
    job: {
      workflowId: (await ports.workflows.list())[0]?.id ?? 0,
      submittedBy: null,
      submitterIp: ip,
      submittedName: fileName,
      logType: 'evtx',
      isPrivate: false,
    },
    reuse: null,
    marks: { receipt: null, upload, caseId: null, tags: [], by: null, at: at(5) },
  };
}

/** What every repository of reserved uploads does; `open` hands it over empty, but with workflows. */
export function uploadRepositoryContract(open: () => Promise<UploadPorts>): void {
  describe('upload repository', () => {
    let ports: UploadPorts;
    let uploads: Ports['uploads'];
    let jobId: number;
    beforeEach(async () => {
      ports = await open();
      uploads = ports.uploads;
      await uploads.create(slot, quota);
      jobId = (await recordSubmission(ports, await submission(ports, null))).job.id;
    });

    it('remembers a reservation as it was made', async () => {
      expect(await uploads.find(id)).toEqual({ ...slot, outcome: null });
      expect(await uploads.find('00'.repeat(16))).toBeNull();
      expect(await uploads.find('')).toBeNull();
    });

    describe('with a quota', () => {
      let count = 0;
      const more = (sizeBytes: number, over: { owner?: string; createdAt?: Date; expiresAt?: Date } = {}) => {
        const { owner = 'account:one', ...times } = over;
        const next = { ...slot, id: String(count++).padStart(32, '0'), sizeBytes, ...times };
        return uploads.create(next, { owner, maxBytes: gigabytes(10) });
      };

      it('reserves up to it, each owner for itself', async () => {
        expect(await more(gigabytes(5))).toBe(true);
        expect(await more(1)).toBe(false);
        expect(await more(0)).toBe(true);
        expect(await more(gigabytes(10), { owner: 'account:two' })).toBe(true);
        expect(await uploads.find(String(count).padStart(32, '0'))).toBeNull();
      });

      it('leaves out what was submitted, and what has expired', async () => {
        expect(await more(gigabytes(6))).toBe(false);
        await uploads.use({ ...use, jobId, reused: false });
        expect(await more(gigabytes(6))).toBe(true);
        expect(await more(gigabytes(6))).toBe(false);
        expect(await more(gigabytes(6), { createdAt: at(60), expiresAt: at(120) })).toBe(true);
      });

      it('takes a slot alone, however large', async () => {
        expect(await more(gigabytes(40), { owner: 'account:three' })).toBe(true);
        expect(await more(1, { owner: 'account:three' })).toBe(false);
      });

      it('is kept by many at once', async () => {
        const owner = 'account:four';
        const taken = await Promise.all(Array.from({ length: 12 }, () => more(gigabytes(2), { owner })));
        expect(taken.filter(Boolean)).toHaveLength(5);
      });
    });

    it('lets a slot live on, and takes its bytes once', async () => {
      expect(await uploads.renew(id, at(70))).toBe(true);
      expect(await uploads.renew(id, at(80), 'one.evtx')).toBe(true);
      expect(await uploads.renew(id, at(99), 'two.evtx')).toBe(false);
      expect(await uploads.find(id)).toMatchObject({ storageKey: 'one.evtx', expiresAt: at(80) });
      expect(await uploads.renew('00'.repeat(16), at(70))).toBe(false);
    });

    it('is used once, and remembers what for', async () => {
      await uploads.use({ ...use, jobId, reused: true });
      const outcome = { jobId, fingerprint: use.fingerprint, reused: true };
      expect(await uploads.find(id)).toEqual({ ...slot, expiresAt: use.until, outcome });
      await expect(uploads.use({ ...use, jobId, reused: false })).rejects.toMatchObject({ code: 'conflict' });
      expect(await uploads.renew(id, at(99))).toBe(false);
    });

    it('is used with the job that it becomes, or neither is there', async () => {
      const { job } = await recordSubmission(ports, await submission(ports, use));
      const outcome = { jobId: job.id, fingerprint: use.fingerprint, reused: false };
      expect((await uploads.find(id))?.outcome).toEqual(outcome);
      const again = await submission(ports, use);
      await expect(recordSubmission(ports, again)).rejects.toMatchObject({ code: 'conflict' });
      expect((await ports.jobViews.live()).map((live) => live.id)).toEqual([jobId, job.id]);
    });

    it('has one user of many at once', async () => {
      const uses = await Promise.allSettled(
        Array.from({ length: 5 }, () => uploads.use({ ...use, jobId, reused: false })),
      );
      expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('retires what expired, so that nobody uses it while it is removed', async () => {
      await uploads.renew(id, at(60), 'one.evtx');
      expect(await uploads.retireExpired(at(60))).toEqual([]);
      expect(await uploads.retireExpired(at(61))).toEqual([{ id, storageKey: 'one.evtx', createdAt: at(0) }]);
      expect(await uploads.find(id)).toBeNull();
      await expect(uploads.use({ ...use, jobId, reused: false })).rejects.toMatchObject({ code: 'conflict' });
      expect(await uploads.renew(id, at(99))).toBe(false);
      // Again, for a sweep that broke off.
      expect(await uploads.retireExpired(at(61))).toHaveLength(1);
      await uploads.recall(id, at(90));
      expect(await uploads.find(id)).toBeNull();
      expect(await uploads.retireExpired(at(89))).toEqual([]);
      expect(await uploads.retireExpired(at(91))).toHaveLength(1);
      await uploads.remove(id);
      expect(await uploads.find(id)).toBeNull();
      expect(await uploads.retireExpired(at(99))).toEqual([]);
    });
  });
}
