import { expect, it } from 'vitest';
import { gathered } from './form-fields.ts';

it('lists the values of a repeated field, whatever its name', () => {
  const fields = gathered([
    ['tags', 'a'],
    ['workflow_id', '1'],
    ['tags', 'b'],
    ['__proto__', 'x'],
    ['__proto__', 'y'],
  ]);
  expect(Object.entries(fields)).toEqual([
    ['tags', ['a', 'b']],
    ['workflow_id', '1'],
    ['__proto__', ['x', 'y']],
  ]);
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
});
