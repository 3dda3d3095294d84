import { expect, it } from 'vitest';
import { analysisKey, analysisOf, keyOf, lanes, periodicKinds, policyOf, readTask, taskKinds } from './tasks.ts';

it('has a row for every kind, with a delay after each attempt but the last at most', () => {
  for (const [kind, { lane, attempts, retryDelays, leaseSeconds }] of Object.entries(taskKinds)) {
    expect(lanes).toContain(lane);
    expect([kind, retryDelays.length < attempts]).toEqual([kind, true]);
    // A lease that were shorter than a sign of life takes would always lapse.
    expect(leaseSeconds === null || leaseSeconds >= 60).toBe(true);
  }
  expect(Object.keys(taskKinds)).toEqual(expect.arrayContaining([...periodicKinds]));
});

it('tells tasks apart by what at most one is in flight of', () => {
  expect(keyOf(analysisOf(7))).toBe(analysisKey(7));
  expect(keyOf({ kind: 'recalculate_single_analytics', taskId: 3, targetId: 7 })).toBe(
    'recalculate_single_analytics:3',
  );
  expect(keyOf({ kind: 'token-prune' })).toBe('token-prune');
});

it.each([
  [{ kind: 'run_analysis', jobId: 7 }, true],
  [{ kind: 'run_analysis', jobId: '7' }, false],
  [{ kind: 'run_analysis' }, false],
  [{ kind: 'token-prune' }, true],
  [{ kind: 'toString' }, false],
  [{ kind: 'no-such-kind' }, false],
  ['token-prune', false],
  [null, false],
])('reads %j as a task or keeps it as it is', (stored, isKnown) => {
  const task = readTask(stored);
  expect(task).toEqual(isKnown ? stored : { kind: 'unknown', stored });
  expect(policyOf(task) !== null).toBe(isKnown);
});
