import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCase } from './create-case.ts';

let test: TestPorts;
beforeAll(async () => (test = await openTestPorts()));
afterAll(() => test.close());

it('a key whose case was deleted makes no other', async () => {
  const { ports } = test;
  const account = { email: 'ada@example.org', passwordHash: 'x', role: 'member', displayName: null } as const;
  const { id: userId } = await ports.accounts.create(account);
  const ada: Actor = { kind: 'account', userId, email: account.email, role: 'member', ip: '192.0.2.1' };
  const input = { name: 'Phish wave', is_shared: false, idempotency_key: 'k' };
  await createCase(ports, ada, input);
  const receipts = overriding(ports.receipts, {
    find: async (...key) => {
      const receipt = await ports.receipts.find(...key);
      return receipt && { ...receipt, caseId: null };
    },
  });
  await expect(createCase({ ...ports, receipts }, ada, input)).rejects.toMatchObject({ code: 'case_gone' });
  await expect(createCase({ ...ports, receipts }, ada, { ...input, name: 'Other' })).rejects.toMatchObject({
    code: 'key_reused',
  });
});
