import { expect, it } from 'vitest';
import { toggledSeverity } from './toggled-severity.ts';

it('takes and leaves a severity, in their order', () => {
  expect(toggledSeverity(undefined, 'low')).toEqual(['low']);
  expect(toggledSeverity(['low'], 'critical')).toEqual(['critical', 'low']);
  expect(toggledSeverity(['critical', 'low'], 'critical')).toEqual(['low']);
  expect(toggledSeverity(['low'], 'low')).toBeUndefined();
});
