import { describe, expect, it } from 'vitest';
import { lazy } from './lazy.ts';

describe('lazy', () => {
  it('asks again for what could not be fetched ahead, and once for what could', async () => {
    let asked = 0;
    const Part = lazy(async () => {
      asked += 1;
      if (asked === 1) throw new TypeError('Failed to fetch dynamically imported module');
      return { default: () => null };
    });
    await Part.preload();
    await Part.preload();
    await Part.preload();
    expect(asked).toBe(2);
  });
});
