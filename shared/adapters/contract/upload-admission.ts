import {
  uploadLeaseMs,
  uploadWaitMs,
  type UploadAdmission,
  type UploadHolder,
} from '@svc/application/ports/upload-admission.ts';
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
      admission.hold({ id, bytes, holder: `account:${id}` }, available);
    const holdFor = (holder: UploadHolder, id: string): Promise<string> =>
      admission.hold({ id, bytes: 0, holder }, null);
    const eachOf = async (...attempts: [UploadHolder, string][]): Promise<string[]> => {
      const answers: string[] = [];
      for (const attempt of attempts) answers.push(await holdFor(...attempt));
      return answers;
    };

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

    it('gives nobody more than half of the places, account or network', async () => {
      admission = await open(4);
      expect(
        await eachOf(
          ['account:a', '1'],
          ['account:a', '2'],
          ['account:a', '3'],
          ['account:a', '1'],
          ['account:b', '4'],
        ),
      ).toEqual(['held', 'held', 'share', 'held', 'held']);
      await admission.release('1');
      await admission.release('2');
      expect(await eachOf(['network:a', '5'], ['network:a', '6'], ['network:a', '7'])).toEqual([
        'held',
        'held',
        'share',
      ]);
      await admission.release('5');
      expect(await holdFor('network:a', '7')).toBe('held');
    });

    it('keeps a place for accounts, and none for visitors', async () => {
      admission = await open(4);
      expect(
        await eachOf(
          ['network:a', '1'],
          ['network:b', '2'],
          ['network:c', '3'],
          ['network:d', '4'],
          ['account:a', '5'],
        ),
      ).toEqual(['held', 'held', 'held', 'busy', 'held']);
      for (const id of ['1', '2', '3']) await admission.release(id);
      expect(await eachOf(['account:b', '6'], ['account:c', '7'], ['account:a', '8'], ['network:a', '9'])).toEqual([
        'held',
        'held',
        'held',
        'busy',
      ]);
    });

    it('has one place for everybody where there is only one', async () => {
      admission = await open(1);
      expect(await eachOf(['network:a', '1'], ['network:a', '2'], ['account:a', '3'])).toEqual([
        'held',
        'share',
        'busy',
      ]);
    });

    it('tells those that have places when somebody waits, until that has passed or one was given', async () => {
      await hold('a');
      await hold('b');
      expect(await hold('a')).toBe('held');
      expect([await hold('c'), await hold('a'), await hold('b')]).toEqual(['busy', 'wanted', 'wanted']);
      await pass(uploadWaitMs + 1000);
      expect(await hold('a')).toBe('held');
      await hold('c');
      await admission.release('b');
      expect([await hold('c'), await hold('a')]).toEqual(['held', 'held']);
    });

    it('takes nobody to be waiting who has his share', async () => {
      admission = await open(4);
      expect(await eachOf(['network:a', '1'], ['network:a', '2'], ['network:a', '3'], ['network:a', '1'])).toEqual([
        'held',
        'held',
        'share',
        'held',
      ]);
    });
  });
}
