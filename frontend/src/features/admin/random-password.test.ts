import { expect, it } from 'vitest';
import { randomPassword } from './random-password.ts';

it('makes passwords that can be read out, each its own', () => {
  const made = Array.from({ length: 50 }, randomPassword);
  for (const password of made) expect(password).toMatch(/^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){3}$/);
  expect(new Set(made).size).toBe(made.length);
});
