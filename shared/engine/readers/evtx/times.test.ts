import { describe, expect, it } from 'vitest';
import { fileTimeText, sevenDigits, systemTimeText } from './times.ts';

describe('fileTimeText', () => {
  it.each([
    [0n, '1601-01-01T00:00:00.0000000Z'],
    [1n, '1601-01-01T00:00:00.0000001Z'],
    [116_444_736_000_000_000n, '1970-01-01T00:00:00.0000000Z'],
    [116_444_735_999_999_999n, '1969-12-31T23:59:59.9999999Z'],
    [125_962_560_001_234_567n, '2000-02-29T00:00:00.1234567Z'],
    [2_650_467_743_999_999_999n, '9999-12-31T23:59:59.9999999Z'],
    [2n ** 64n - 1n, '60056-05-28T05:36:10.9551615Z'],
  ])('%s is %s', (time, text) => {
    expect(fileTimeText(Number(time & 0xffffffffn), Number(time >> 32n))).toBe(text);
  });
});

describe('systemTimeText', () => {
  it('is all zero for none', () => {
    expect(systemTimeText([0, 0, 0, 0, 0, 0, 0, 0])).toBe('1601-01-01T00:00:00.000Z');
    expect(systemTimeText([2024, 2, 4, 29, 1, 2, 3, 4])).toBe('2024-02-29T01:02:03.004Z');
  });
});

describe('sevenDigits', () => {
  it.each([
    ['2021-11-19T16:52:33.833733500Z', '2021-11-19T16:52:33.8337335Z'],
    ['2021-11-19T16:52:33Z', '2021-11-19T16:52:33.0000000Z'],
    ['2021-11-19T16:52:33.5Z', '2021-11-19T16:52:33.5000000Z'],
    ['yesterday', undefined],
    ['', undefined],
  ])('%s gives %s', (text, time) => {
    expect(sevenDigits(text)).toBe(time);
  });
});
