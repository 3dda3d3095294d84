import { operations } from '@svc/contracts';
import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { ofJob, operationQuery, queryKey } from './query-key.ts';

/** A cache with these answers, of which some are removed: what is left. */
function leftAfter(remove: (client: QueryClient) => void): unknown[] {
  const client = new QueryClient();
  const keys = [
    queryKey(operations.listJobs, { page: 1 }),
    queryKey(operations.getJob, { id: 7 }),
    queryKey(operations.listFindings, { id: 7 }),
    queryKey(operations.listComments, { target: 'job', id: 7 }),
    ['GET /jobs/findings/{id}/events', { id: 7, finding: 1 }],
    ['GET /jobs/{id}/analytics', { triage: 7 }],
    queryKey(operations.getJob, { id: 8 }),
    queryKey(operations.getTaskLog, { id: 7 }),
  ];
  for (const key of keys) client.setQueryData(key, 'answer');
  remove(client);
  return client
    .getQueryCache()
    .getAll()
    .map(({ queryKey: key }) => key);
}

it('keeps answers under their operation and what it was asked', () => {
  expect(queryKey(operations.listCases)).toEqual(['GET /intel/cases/list.json']);
  expect(operationQuery(operations.getHome, {}).queryKey).toEqual(['GET /api/ui/home']);
  expect(operationQuery(operations.getRule, { name: 'core', rule_id: 'a' }).queryKey).toEqual([
    'GET /api/v1/rule-packs/{name}/rules/{rule_id}',
    { name: 'core', rule_id: 'a' },
  ]);
});

it('finds all answers of an operation, and those that agree with a part of the input', () => {
  const left = leftAfter((client) => {
    client.removeQueries({ queryKey: queryKey(operations.getJob) });
    client.removeQueries({ queryKey: queryKey(operations.listComments, { id: 7 }) });
  });
  expect(left.map((key) => (key as unknown[])[0])).toEqual([
    'GET /jobs',
    'GET /jobs/{id}/findings',
    'GET /jobs/findings/{id}/events',
    'GET /jobs/{id}/analytics',
    'GET /jobs/task-results/{id}/log',
  ]);
});

it('finds whatever was read of a job, and nothing of others, of lists or of this browser', () => {
  expect(leftAfter((client) => client.removeQueries(ofJob(7)))).toEqual([
    ['GET /jobs', { page: 1 }],
    ['GET /jobs/{id}/analytics', { triage: 7 }],
    ['GET /jobs/{id}', { id: 8 }],
    ['GET /jobs/task-results/{id}/log', { id: 7 }],
  ]);
  expect(leftAfter((client) => client.removeQueries(ofJob()))).not.toContainEqual(['GET /jobs/{id}', { id: 8 }]);
});

it('takes no name that is not an operation, and no input that it does not know', () => {
  // @ts-expect-error -- there is no such operation
  const unknown = () => queryKey(operations.listJob);
  // @ts-expect-error -- a job is asked for by its id
  const wrong = queryKey(operations.getJob, { job: 7 });
  expect([typeof unknown, wrong]).toEqual(['function', ['GET /jobs/{id}', { job: 7 }]]);
});
