import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ValueMap } from './value-map.ts';

it('knows what was put in and nothing else, also after it was cleared', () => {
  const numbers = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 0x3fff_ffff }), fc.integer({ min: 1 })), {
    selector: ([id]) => id,
    maxLength: 400,
  });
  const property = fc.property(numbers, numbers, (first, second) => {
    const map = new ValueMap();
    for (const added of [first, second]) {
      for (const [id, number] of added) map.add(id, number);
      for (const [id, number] of added) expect(map.get(id)).toBe(number);
      const ids = new Set(added.map(([id]) => id));
      for (const [id] of [...first, ...second]) if (!ids.has(id)) expect(map.get(id)).toBe(0);
      map.clear();
    }
  });
  fc.assert(property, { numRuns: 50 });
});
