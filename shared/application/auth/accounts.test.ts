import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Account, Actor } from '@svc/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { createFirstAdmin } from './create-first-admin.ts';
import { getMe } from './get-me.ts';
import { login } from './login.ts';
import { passwordProblem } from './password-policy.ts';
import { resolveSession } from './resolve-session.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

describe('the first administrator', () => {
  it('is made up on a machine of one’s own, once', async () => {
    const made = await createFirstAdmin(ports);
    expect(made).toMatchObject({ email: 'admin@localhost', password: expect.stringMatching(/^[\w-]{16}$/) });
    expect(await createFirstAdmin(ports)).toBeNull();
    const { token } = await login(ports, visitor, { username: 'ADMIN@localhost', password: made?.password ?? '' });
    expect(await resolveSession(ports, { token, ip: '192.0.2.5' })).toMatchObject({ role: 'admin', ip: '192.0.2.5' });
  });

  it('is the one that the environment names, whose password is not repeated', async () => {
    const firstAdmin = { email: 'Root@example.org', password: 'correct horse' };
    const deployment = { ...ports.deployment, firstAdmin };
    expect(await createFirstAdmin({ ...ports, deployment })).toBeNull();
    await expect(
      login(ports, visitor, { username: 'root@example.org', password: 'correct horse' }),
    ).resolves.toBeDefined();
    const changed = { ...deployment, firstAdmin: { email: 'b@example.org', password: 'battery staple' } };
    await createFirstAdmin({ ...ports, deployment: changed });
    expect(await ports.accounts.findByEmail('b@example.org')).toBeNull();
  });

  it('is not made up for a team', async () => {
    const deployment = { ...ports.deployment, embedded: false };
    expect(await createFirstAdmin({ ...ports, deployment })).toBeNull();
    expect(await ports.accounts.hasActiveAdmin()).toBe(false);
  });

  it('stops the start when the password is unacceptable', async () => {
    const deployment = { ...ports.deployment, firstAdmin: { email: 'a@example.org', password: 'changeme123' } };
    await expect(createFirstAdmin({ ...ports, deployment })).rejects.toThrow(
      'ADMIN_PASSWORD: The password is a common',
    );
  });
});

it.each([
  ['short', 'at least 8'],
  [' ChangeMe123 ', 'common default'],
  ['xx-ada@example.org-1', 'address'],
  ['correct horse', null],
])('judges the password %j', (password, problem) => {
  const found = passwordProblem(password, 'Ada@example.org');
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

describe('signing in', () => {
  const ada = {
    email: 'ada@example.org',
    passwordHash: 'plain:correct horse',
    role: 'member',
    displayName: 'Ada',
  } as const;

  it('refuses the unknown, the wrong and the inactive alike', async () => {
    await ports.accounts.create(ada);
    const inactive = overriding(ports.accounts, {
      findByEmail: async () => ({
        ...ada,
        id: randomUUID(),
        isActive: false,
        sendAtOnce: false,
        createdAt: new Date(),
      }),
    });
    const password = 'correct horse';
    const refusals = await Promise.allSettled([
      login(ports, visitor, { username: 'nobody@example.org', password }),
      login(ports, visitor, { username: ada.email, password: 'wrong' }),
      login({ ...ports, accounts: inactive }, visitor, { username: ada.email, password }),
    ]);
    const reasons = refusals.map((one) => (one.status === 'rejected' ? String(one.reason) : 'accepted'));
    expect(new Set(reasons)).toEqual(new Set(['AppError: Wrong address or password']));
  });

  it('ends with a change of the password and with the account', async () => {
    const account = await ports.accounts.create(ada);
    const { token } = await login(ports, visitor, { username: ada.email, password: 'correct horse' });
    const seenAs = async (found: Account): Promise<string> => {
      const sessionStore = overriding(ports.sessionStore, {
        find: async (id) => {
          const stored = await ports.sessionStore.find(id);
          return stored && { ...stored, account: found };
        },
      });
      return (await resolveSession({ ...ports, sessionStore }, { token, ip: '' })).kind;
    };
    expect(await seenAs(account)).toBe('account');
    expect(await seenAs({ ...account, passwordHash: 'plain:another' })).toBe('anonymous');
    expect(await seenAs({ ...account, isActive: false })).toBe('anonymous');
    expect(await seenAs({ ...account, id: 'another' })).toBe('anonymous');
    await ports.accounts.delete(account.id);
    expect((await resolveSession(ports, { token, ip: '' })).kind).toBe('anonymous');
  });

  it('cannot be forged', async () => {
    const { id } = await ports.accounts.create(ada);
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: id, pv: 'x' }))}.`;
    for (const token of [null, '', 'x.y.z', unsigned]) {
      expect(await resolveSession(ports, { token, ip: '' })).toEqual({ kind: 'anonymous', ip: '' });
    }
  });

  it('tells who one is', async () => {
    const { id, email, role } = await ports.accounts.create(ada);
    expect(await getMe(ports, { kind: 'account', userId: id, email, role, ip: '' })).toEqual({
      id,
      email: 'ada@example.org',
      display_name: 'Ada',
      role: 'member',
      is_superuser: false,
      is_active: true,
      send_at_once: false,
    });
    await expect(getMe(ports, visitor)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
