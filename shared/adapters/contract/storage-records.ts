import { newObjectKey } from '../object-key.ts';
import { analyzeLog, submitLog } from '../testing/submit-log.ts';
import { derived } from '../testing/fake-derived.ts';
import { output } from '../testing/fake-engine.ts';
import type { TestPorts } from '../testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { beforeEach, describe, expect, it } from 'vitest';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const at = new Date('2026-08-01T10:00:00.123Z');

/** What the database says of objects; `make` gives empty tables with workflows. */
export function storageRecordsContract(make: () => Promise<TestPorts>): void {
  describe('records of the store', () => {
    let test: TestPorts;
    beforeEach(async () => {
      test = await make();
      test.engine.behave = async () =>
        output({ derived: derived(), raw: { chunks: [Buffer.from('{}\n')], isTruncated: false } });
    });

    it('know every kind of object that a row names, and no other', async () => {
      const { ports } = test;
      const id = await analyzeLog(ports, visitor);
      const { objects } = await ports.objectListing.page(null);
      const stored = objects.map(({ key }) => key);
      // The upload, two raw outputs and the sample events, at least.
      expect(stored.length).toBeGreaterThan(3);
      const [upload, dropped, unknown] = [newObjectKey('.bin'), newObjectKey('.gz', 'outputs'), newObjectKey('.bin')];
      const slot = { id: 'ab'.repeat(16), fileName: 'a', sizeBytes: 1, sha256: 'cd'.repeat(32), userId: null, ip: '' };
      const times = { createdAt: at, expiresAt: at };
      await ports.uploads.create({ ...slot, ...times, storageKey: upload }, { owner: 'x', maxBytes: 0 });
      await ports.droppedObjects.note([dropped], at);
      const packed = newObjectKey('.rules', 'packs');
      await ports.ruleArtifacts.add({ digest: 'ef'.repeat(32), storageKey: packed, loaded: 1 }, at);
      const named = [...stored, upload, dropped, packed];
      expect(await ports.storageRecords.unnamed([...named, unknown])).toEqual([unknown]);
      expect(await ports.storageRecords.unnamed([])).toEqual([]);
      const many = Array.from({ length: 1000 }, () => newObjectKey('.bin'));
      expect(await ports.storageRecords.unnamed(many)).toHaveLength(1000);
      expect(await ports.storageRecords.fileNames([id, id + 1])).toEqual(new Map([[id, 'Security.evtx']]));
      expect(await ports.storageRecords.fileNames([])).toEqual(new Map());
    });

    it('know the largest jobs, with what their analyses left', async () => {
      const { ports } = test;
      const plain = await submitLog(ports, visitor, { content: `ElfFile\0${'a'.repeat(3000)}` });
      const small = await submitLog(ports, visitor, { content: 'ElfFile\0b' });
      expect(await ports.storageRecords.largestJobs(1)).toEqual([{ job_id: plain, bytes: 3008 }]);
      expect((await ports.storageRecords.largestJobs(10)).map(({ job_id }) => job_id)).toEqual([plain, small]);
    });

    it('keep how far a walk is, which only the first of two takes further', async () => {
      const { storageRecords } = test.ports;
      expect(await storageRecords.walk('usage')).toBeNull();
      const begun = await storageRecords.begin('usage', at);
      expect(await storageRecords.walk('usage')).toMatchObject({ ...begun });
      const next = { ...begun, pages: 1, cursor: '7' };
      const results = await Promise.all([storageRecords.advance('usage', next), storageRecords.advance('usage', next)]);
      expect(results.filter(Boolean)).toEqual([true]);
      expect(await storageRecords.walk('usage')).toMatchObject({ pages: 1, cursor: '7', endedAt: null });
      expect(await storageRecords.walk('sweep')).toBeNull();
      await storageRecords.begin('usage', new Date(at.getTime() + 1));
      expect(await storageRecords.advance('usage', { ...begun, pages: 1 })).toBe(false);
    });
  });
}
