import { describe, expect, it } from 'vitest';
import { age, bytes, count, counted, duration, moment, sentence } from './format.ts';

describe('format', () => {
  it('separates thousands with thin spaces', () => {
    expect(count(0)).toBe('0');
    expect(count(999)).toBe('999');
    expect(count(1234567)).toBe('1\u202f234\u202f567');
    expect(counted(1, 'rule')).toBe('1 rule');
    expect(counted(2, 'match', 'matches')).toBe('2 matches');
  });

  it('writes sizes in IEC units', () => {
    expect(bytes(0)).toBe('0\u202fB');
    expect(bytes(1023)).toBe('1023\u202fB');
    expect(bytes(1024)).toBe('1.0\u202fKiB');
    expect(bytes(69_632)).toBe('68.0\u202fKiB');
    expect(bytes(500 * 1024 ** 2)).toBe('500\u202fMiB');
    expect(bytes(3 * 1024 ** 5)).toBe('3072\u202fTiB');
  });

  it('writes durations with the unit that fits', () => {
    expect(duration(840)).toBe('840\u202fms');
    expect(duration(12_440)).toBe('12.4\u202fs');
    expect(duration(185_000)).toBe('3 min 05 s');
    expect(duration(7_800_000)).toBe('2 h 10 min');
    expect(duration(260_000_000)).toBe('3 d 0 h');
    expect(duration(4806 * 86_400_000)).toBe('13 y 61 d');
  });

  it('writes ages', () => {
    const hour = 3_600_000;
    const ages = [5_000, 4 * 60_000, 3 * hour, 50 * hour, 90 * 24 * hour, 800 * 24 * hour].map((past) => age(0, past));
    expect(ages).toEqual(['now', '4 min', '3 h', '2 d', '3 mo', '2 y']);
  });

  it('reads times as UTC when they name no zone', () => {
    expect(moment('2026-08-01T10:15:07Z')?.utc).toBe('2026-08-01 10:15:07');
    expect(moment('2026-08-01 10:15:07')?.utc).toBe('2026-08-01 10:15:07');
    expect(moment('2026-08-01T12:15:07.589123+02:00')?.utc).toBe('2026-08-01 10:15:07');
    expect(moment('2026-08-01T10:15:07.589123Z', true)?.utc).toBe('2026-08-01 10:15:07.589');
    expect(moment('not a time')).toBeNull();
  });

  it('writes names as sentences', () => {
    expect(sentence('command_and_control')).toBe('Command and control');
  });
});
