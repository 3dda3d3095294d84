import { usePorts } from '@svc/adapters/compose.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { SQSRecord } from 'aws-lambda';
import { afterAll, expect, it } from 'vitest';

const test = await openTestPorts();
const done: string[] = [];
usePorts({
  ...test.ports,
  apiTokens: overriding(test.ports.apiTokens, {
    removeRevoked: async () => {
      done.push('token-prune');
      return 1;
    },
  }),
  uploads: overriding(test.ports.uploads, {
    retireExpired: async () => {
      throw new Error('no database');
    },
  }),
});
const { handler } = await import('./maintenance.ts');
afterAll(() => test.close());

const record = (messageId: string, body: string) => ({ messageId, body }) as SQSRecord;

it('runs what messages name, and leaves in the queue what fails', async () => {
  const Records = [
    record('a', '{"task":"expired-uploads"}'),
    record('b', '{"task":"token-prune"}'),
    record('c', '{"task":"no-such-task"}'),
    record('d', '{"task":7}'),
    record('e', 'nonsense'),
  ];
  const failed = ['a', 'c', 'd', 'e'].map((itemIdentifier) => ({ itemIdentifier }));
  expect(await handler({ Records })).toEqual({ batchItemFailures: failed });
  expect(done).toEqual(['token-prune']);
});
