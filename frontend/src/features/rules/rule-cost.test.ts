import { expect, it } from 'vitest';
import { costOfRule, millis } from './rule-cost.ts';

const recent = { events: 3, jobs: 1, is_noisy: false, tries: 12_345, ms_per_million: 41.6, share: 0.0213 };
const recent_jobs = { jobs: 500, records: 3_000_000, measured_jobs: 450, measured_records: 2_000_000 };

it('says what a rule cost, and where nothing was measured', () => {
  const told = costOfRule({ recent, recent_jobs });
  expect(told).toContain('took 42 ms per million records of 450 measured jobs, 2.1 % of what all rules took');
  expect(told).toMatch(/tried on about 12.345 of their 2.000.000 records/);
  expect(costOfRule({ recent: { ...recent, tries: 0 }, recent_jobs })).toContain('in none of 450 measured jobs');
  expect(costOfRule({ recent, recent_jobs: { ...recent_jobs, measured_jobs: 0 } })).toContain('not measured');
});

it.each([
  [0.04, 'less than 0.1 ms'],
  [3.14, '3.1 ms'],
  [41.6, '42 ms'],
])('tells %d milliseconds as %s', (ms, told) => {
  expect(millis(ms)).toBe(told);
});
