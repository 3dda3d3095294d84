import type { Ports } from '@svc/application/ports/ports.ts';
import { tlshDistance } from '@svc/engine';
import { describe, expect, it } from 'vitest';
import { account, at, jobFixture, type JobPorts, visitor } from './job-fixture.ts';

/** A digest like another: some levels of its content, and at times its head, differ. */
function varied(digest: string, changes: number): string {
  const digits = digest.split('');
  const steps = Array.from({ length: changes }, () => 8 + Math.floor(Math.random() * 64));
  for (const place of steps) digits[place] = randomDigit();
  if (Math.random() < 0.5) digits[2 + Math.floor(Math.random() * 6)] = randomDigit();
  return digits.join('');
}

const randomDigit = (): string =>
  Math.floor(Math.random() * 16)
    .toString(16)
    .toUpperCase();
const randomDigest = (): string => `T1${Array.from({ length: 70 }, randomDigit).join('')}`;

/** What is known of files by their digests; `make` gives empty repositories with workflows. */
export function fileDigestsContract(make: () => Promise<JobPorts & Pick<Ports, 'files'>>): void {
  describe('digests of files', () => {
    let ports: JobPorts & Pick<Ports, 'files'>;
    const { submit, report, userNamed } = jobFixture(async () => (ports = await make()));
    const later = new Date(at.getTime() + 1000);

    async function digested(tlsh: string | null, over: Parameters<typeof submit>[0] = {}) {
      const { file, job } = await submit(over);
      await report(job.id);
      await ports.files.setDigest(file.id, tlsh);
      return { file: file.id, job: job.id };
    }

    it('are looked for once, the newest files first', async () => {
      const [first, second, third] = [await submit(), await submit(), await submit({ at: later })];
      expect((await ports.files.get(first.file.id))?.tlsh).toBeNull();
      const missing = async (before: Date) =>
        (await ports.files.withoutDigest(before, { under: null, limit: 2 })).map(({ id }) => id);
      expect(await missing(later)).toEqual([second.file.id, first.file.id]);
      expect(await missing(new Date(later.getTime() + 1))).toEqual([third.file.id, second.file.id]);
      const digest = randomDigest();
      await ports.files.setDigest(first.file.id, digest);
      await ports.files.setDigest(second.file.id, null);
      expect(await missing(later)).toEqual([]);
      expect((await ports.files.get(first.file.id))?.tlsh).toBe(digest);
      expect((await ports.files.get(second.file.id))?.tlsh).toBe('');
      await ports.files.setDigest(third.file.id + 1, digest);
    });

    it('find the files that a comparison with all of them finds', async () => {
      const own = randomDigest();
      const digests = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? randomDigest() : varied(own, i % 40)));
      const self = await digested(own);
      const others = [];
      for (const tlsh of digests) others.push({ ...(await digested(tlsh)), distance: tlshDistance(own, tlsh).total });
      for (const threshold of [0, 1, 30, 100, 260, 400]) {
        const near = others
          .filter(({ distance }) => distance <= threshold)
          .sort((a, b) => a.distance - b.distance || b.file - a.file);
        for (const limit of [10, 400]) {
          const found = await ports.files.similar(visitor, { id: self.file, tlsh: own }, { threshold, limit });
          expect(found.map(({ fileId, distance }) => [fileId, distance])).toEqual(
            near.slice(0, limit).map(({ file, distance }) => [file, distance]),
          );
        }
      }
    });

    it('tell of a file by the newest of its jobs that the viewer may see, or not at all', async () => {
      const owner = await userNamed('owner@example.org');
      const own = randomDigest();
      const self = await digested(own);
      const hidden = { isPrivate: true, submittedBy: owner };
      await digested(own, { job: { ...hidden, submittedName: 'secret.evtx' } });
      const content = { storageKey: `${'e'.repeat(32)}.evtx`, sha256: 'e'.repeat(64) };
      const shown = await digested(own, { file: content, job: { submittedName: null } });
      const secret = (await submit({ file: content, job: { ...hidden, submittedName: 'later.evtx' } })).job;
      await report(secret.id);
      const seen = async (viewer: typeof visitor) =>
        (await ports.files.similar(viewer, { id: self.file, tlsh: own }, { threshold: 0, limit: 10 })).map(
          ({ jobId, fileName, status }) => [jobId, fileName, status],
        );
      expect(await seen(visitor)).toEqual([[shown.job, 'upload-eeeeeeeeeeee', 'completed']]);
      expect(await seen(account(owner))).toEqual([
        [secret.id, 'later.evtx', 'completed'],
        [expect.any(Number), 'secret.evtx', 'completed'],
      ]);
      // A job that waits shows no digest yet.
      await submit({ file: { ...content, sha256: 'd'.repeat(64), storageKey: 'd' } });
      const waiting = (await ports.files.findBySha256('d'.repeat(64)))!;
      await ports.files.setDigest(waiting.id, own);
      expect(await seen(visitor)).toHaveLength(1);
    });
  });
}
