import { uploadLeaseMs, type UploadAdmission } from '@svc/application/ports/upload-admission.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PassingTime } from '../testing/passing-time.ts';

/** What every admission of uploads has to do; `open` makes one whose places are all free. */
export function uploadAdmissionContract(
  name: string,
  open: (places: number) => UploadAdmission | Promise<UploadAdmission>,
  { begin, pass, end }: PassingTime,
): void {
  describe(`upload admission: ${name}`, () => {
    let admission: UploadAdmission;
    beforeEach(async () => {
      await begin();
      admission = await open(2);
    });
    afterEach(async () => void (await end()));

    const hold = (id: string, bytes = 0, available: number | null = null): Promise<string> =>
      admission.hold({ id, bytes }, available);

    it('has as many places as it was told', async () => {
      expect([await hold('a'), await hold('b'), await hold('c')]).toEqual(['held', 'held', 'busy']);
    });

    it('gives a place that was given back to another', async () => {
      await hold('a');
      await hold('b');
      await admission.release('a');
      expect([await hold('c'), await hold('a')]).toEqual(['held', 'busy']);
    });

    it('takes giving back twice, or what was never held, for nothing', async () => {
      await hold('a');
      await admission.release('a');
      await admission.release('a');
      await admission.release('unknown');
      expect([await hold('a'), await hold('b'), await hold('c')]).toEqual(['held', 'held', 'busy']);
    });

    it('hands out no more places than there are to those that come at once', async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => hold(`u${at}`)));
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(2);
    });

    it('frees the place of one that is no longer heard of', async () => {
      await hold('dead');
      await hold('b');
      await pass(uploadLeaseMs / 2);
      expect([await hold('b'), await hold('c')]).toEqual(['held', 'busy']);
      await pass(uploadLeaseMs / 2 + 1000);
      expect([await hold('c'), await hold('d')]).toEqual(['held', 'busy']);
    });

    it('lets one go on after a silence while there is a place', async () => {
      await hold('a');
      await pass(uploadLeaseMs + 1000);
      await hold('b');
      expect(await hold('a')).toBe('held');
      await pass(uploadLeaseMs + 1000);
      await hold('c');
      await hold('d');
      expect(await hold('a')).toBe('busy');
    });

    it('counts the room that the others have reserved', async () => {
      expect(await hold('a', 600, 1000)).toBe('held');
      expect(await hold('b', 500, 1000)).toBe('low_space');
      expect(await hold('b', 400, 1000)).toBe('held');
      await admission.release('b');
      await admission.release('a');
      expect(await hold('c', 1000, 1000)).toBe('held');
      expect(await hold('d', 1, 1000)).toBe('low_space');
    });

    it('reserves only the rest of an upload that goes on', async () => {
      await hold('a', 600, 1000);
      expect(await hold('a', 100)).toBe('held');
      expect(await hold('b', 900, 1000)).toBe('held');
    });

    it('keeps no place for one that it refuses for lack of room', async () => {
      expect([await hold('a', 9, 1), await hold('b', 9, 1)]).toEqual(['low_space', 'low_space']);
      expect([await hold('c'), await hold('d')]).toEqual(['held', 'held']);
    });

    it('reserves more than 2^32 bytes', async () => {
      const huge = 3 * 2 ** 40;
      expect(await hold('a', huge, huge * 2)).toBe('held');
      expect(await hold('b', huge + 1, huge * 2)).toBe('low_space');
      expect(await hold('b', huge, huge * 2)).toBe('held');
    });
  });
}
