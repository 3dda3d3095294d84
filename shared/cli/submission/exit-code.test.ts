import { emptySummary, type Severity } from '@svc/domain';
import { expect, it } from 'vitest';
import { ConnectionError, CredentialsError } from '../service/service-error.ts';
import { exitCodeFor } from './exit-code.ts';
import type { Outcome } from './outcome.ts';

const outcome = (status: Outcome['status'], worst?: Severity): Outcome => ({
  file: 'x.evtx',
  sha256: null,
  size_bytes: 1,
  job_id: 1,
  job_url: '/jobs/1',
  case_id: null,
  status,
  reused: false,
  total_findings: 1,
  severity_summary: worst ? { ...emptySummary, [worst]: 1 } : null,
  error: null,
});
const done = outcome('completed', 'high');

it.each([
  [0, [done], {}],
  [0, [done], { failOn: 'critical' }],
  [1, [done], { failOn: 'high' }],
  [1, [outcome('completed'), done], { failOn: 'low' }],
  [3, [done, outcome('partial', 'critical')], { failOn: 'low' }],
  [3, [done, outcome('failed')], {}],
  [3, [done, outcome('cancelled')], {}],
  [3, [done, outcome('not_submitted')], {}],
  [0, [outcome('pending'), done], { wait: false }],
  [3, [outcome('pending'), outcome('failed')], { wait: false }],
  [4, [done], { stopped: new ConnectionError('lost') }],
  [5, [done], { stopped: new CredentialsError('refused'), failOn: 'low' }],
] as const)(
  'is %i',
  (
    code,
    outcomes,
    {
      stopped = null,
      wait = true,
      failOn,
    }: {
      stopped?: Error | null;
      wait?: boolean;
      failOn?: Severity;
    },
  ) => {
    expect(exitCodeFor({ outcomes, stopped }, { wait, failOn })).toBe(code);
  },
);
