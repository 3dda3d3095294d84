import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { MemoryRateLimiter } from '@svc/adapters/local/memory-rate-limiter.ts';
import type { Account, Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Asker } from '../ports/password-hasher.ts';
import type { Ports } from '../ports/ports.ts';
import { confirmPassword } from './confirm-password.ts';
import { removeKnownNetworks } from './guesses.ts';
import { login } from './login.ts';
import { updateMe } from './update-me.ts';

const rateLimits = { api: 0, comment: 0, login: 3, preview: 0, resubmit: 0, anonymousUpload: 0, accountUpload: 0 };
const right = 'correct horse battery';

let test: TestPorts;
let ports: Ports;
let ada: Account;
/** Who asked for hashes, in order. */
let askers: Asker[];
beforeAll(async () => {
  test = await openTestPorts({ deployment: { rateLimits } });
}, 60_000);
beforeEach(async () => {
  await test.reset();
  askers = [];
  const { passwords } = test.ports;
  ports = {
    ...test.ports,
    rateLimiter: new MemoryRateLimiter(),
    passwords: {
      hash: (password) => passwords.hash(password),
      verify: (hash, password, asker = 'known') => (askers.push(asker), passwords.verify(hash, password)),
    },
  };
  const account = {
    email: 'ada@example.org',
    passwordHash: `plain:${right}`,
    role: 'user',
    displayName: null,
  } as const;
  ada = await ports.accounts.create(account);
});
afterAll(() => test.close());

async function tried(password: string, ip: string, username = 'ada@example.org'): Promise<string> {
  const actor: Actor = { kind: 'anonymous', ip };
  return login(ports, actor, { username, password }).then(
    () => 'in',
    (error: { code: string }) => error.code,
  );
}
async function triedOften(times: number, ip: (at: number) => string, username?: string): Promise<string[]> {
  const answers = [];
  for (let at = 0; at < times; at++) answers.push(await tried('wrong', ip(at), username));
  return answers;
}
const anywhere = (at: number): string => `198.51.100.${at}`;
const wrong = (times: number): string[] => Array<string>(times).fill('bad_credentials');

describe('wrong passwords at sign-in', () => {
  it('count for the account, wherever they come from, and are then not even looked at', async () => {
    expect(await triedOften(5, anywhere)).toEqual([...wrong(3), 'rate_limited', 'rate_limited']);
    expect(askers).toEqual(['stranger', 'stranger', 'stranger']);
    expect(await tried(right, '203.0.113.1')).toBe('rate_limited');
    expect(await tried('wrong', '203.0.113.2', 'eve@example.org')).toBe('bad_credentials');
  });

  it('count in the same way for an address without an account, whatever its letter case', async () => {
    const name = (at: number) => (at % 2 ? 'Nobody@example.org' : ' nobody@EXAMPLE.org');
    const answers = [];
    for (let at = 0; at < 5; at++) answers.push(await tried('wrong', anywhere(at), name(at)));
    expect(answers).toEqual([...wrong(3), 'rate_limited', 'rate_limited']);
    expect(askers).toHaveLength(3);
  });

  it('count for a /64, and for one address of the older kind', async () => {
    const guessed = async (ip: (at: number) => string) => {
      const answers = [];
      for (let at = 0; at < 4; at++) answers.push(await tried('wrong', ip(at), `${at}-${ip(at)}@example.org`));
      return answers;
    };
    expect(await guessed((at) => `2001:db8:1:2:${at}::9`)).toEqual([...wrong(3), 'rate_limited']);
    expect(await guessed((at) => `2001:db8:1:${at + 3}::9`)).toEqual(wrong(4));
    expect(await guessed((at) => `192.0.2.${at}`)).toEqual(wrong(4));
    expect(await guessed(() => '203.0.113.9')).toEqual([...wrong(3), 'rate_limited']);
  });

  it('lock nobody out who comes from where they were signed in before', async () => {
    expect(await tried(right, '2001:db8:1:2::1')).toBe('in');
    await triedOften(5, anywhere);
    await triedOften(5, () => '2001:db8:1:2::7', 'eve@example.org');
    expect(await tried(right, '203.0.113.1')).toBe('rate_limited');
    askers = [];
    expect(await tried(right, '2001:db8:1:2:ffff::9')).toBe('in');
    expect(askers).toEqual(['known']);
    test.advance(31 * 86_400);
    expect(await tried(right, '2001:db8:1:2::1')).toBe('rate_limited');
    expect(await removeKnownNetworks(ports)).toBe(1);
  });

  it('are limited from there, too', async () => {
    expect(await tried(right, '192.0.2.7')).toBe('in');
    expect(await triedOften(4, () => '192.0.2.7')).toEqual([...wrong(3), 'rate_limited']);
    expect(await tried(right, '192.0.2.7')).toBe('rate_limited');
  });

  it('do not include right ones, nor those that could not be judged', async () => {
    for (let at = 0; at < 9; at++) expect(await tried(right, '192.0.2.7')).toBe('in');
    const down = { ...ports.passwords, verify: () => Promise.reject(new Error('gone')) };
    const attempt = () =>
      login(
        { ...ports, passwords: down },
        { kind: 'anonymous', ip: '192.0.2.8' },
        { username: ada.email, password: 'x' },
      );
    for (let at = 0; at < 9; at++) await expect(attempt()).rejects.toThrow('gone');
    expect(await triedOften(3, () => '192.0.2.8')).toEqual(wrong(3));
  });

  it('count when they come all at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => tried('wrong', anywhere(at))));
    expect(answers.filter((answer) => answer === 'bad_credentials')).toHaveLength(3);
  });

  it('are not counted where sign-ins have no limit', async () => {
    ports = { ...ports, deployment: { ...ports.deployment, rateLimits: { ...rateLimits, login: 0 } } };
    expect(await triedOften(9, () => '192.0.2.7')).toEqual(wrong(9));
  });
});

describe('wrong passwords of who is signed in', () => {
  const actor = (ip = '192.0.2.7'): Actor => ({ kind: 'account', userId: ada.id, email: ada.email, role: 'user', ip });
  const change = (password: string, who = actor()) =>
    updateMe(ports, who, { email: 'b@example.org', current_password: password }).then(
      () => 'changed',
      (error: { code: string; retryAfter: number }) => [error.code, error.retryAfter],
    );

  it('count for the account, whichever operation asks for them, and do not keep it from signing in', async () => {
    for (let at = 0; at < 5; at++) expect(await change('wrong', actor(anywhere(at)))).toEqual(['bad_password', null]);
    for (let at = 0; at < 5; at++) {
      await expect(confirmPassword(ports, actor(), { password: 'wrong' })).rejects.toMatchObject({
        code: 'bad_password',
      });
    }
    const [code, retryAfter] = await change(right);
    expect([code, Number(retryAfter) > 890 && Number(retryAfter) <= 900]).toEqual(['rate_limited', true]);
    expect(askers).toHaveLength(10);
    expect(await tried(right, '192.0.2.7')).toBe('in');
  });

  it('do not include right ones', async () => {
    for (let at = 0; at < 20; at++) expect(await change(right)).toBe('changed');
  });
});
