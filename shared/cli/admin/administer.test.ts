import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { listActivityHeads } from '@svc/application/admin/activity/list-activity.ts';
import { login } from '@svc/application/auth/login.ts';
import { resolveSession } from '@svc/application/auth/resolve-session.ts';
import type { Actor } from '@svc/domain';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { password as known, signIn } from '../../../test/support/sessions.ts';
import { ran } from '../testing/svc.ts';
import { administer } from './administer.ts';
import { parseAdminCommand } from './arguments.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
});
beforeEach(() => test.reset());
afterAll(() => test.close());

async function admin(argv: string[], entered = ''): Promise<string> {
  const command = parseAdminCommand(argv);
  if (command.name === 'printed' || 'folder' in command) throw new Error('accounts alone are asked for here');
  const { out } = await ran({ input: Readable.from([entered]) }, async (terminal) => {
    await administer(command, test.ports, terminal);
    return 0;
  });
  return out;
}

const role = async (email: string) => (await test.ports.accounts.findByEmail(email))?.role;
const signsIn = (email: string, password: string) => login(test.ports, visitor, { username: email, password });

describe('svc admin', () => {
  it('lists accounts', async () => {
    expect(await admin(['list-users'])).toContain('svc admin create-admin');
    await signIn(test.ports, 'member');
    const account = await test.ports.accounts.findByEmail('member@example.org');
    await test.ports.accounts.update(account!.id, { isActive: false, displayName: 'M. \u001B[31m' });
    expect(await admin(['list-users'])).toMatch(
      /member@example\.org +member +inactive +\d{4}-\d\d-\d\d +M\. \?\[31m\n/,
    );
  });

  it('adds an administrator with a password of one’s own or a generated one', async () => {
    expect(await admin(['create-admin', 'Me@example.org'], 'battery staple\nno more')).toBe(
      'Me@example.org is an administrator now.\n',
    );
    expect(await role('me@example.org')).toBe('admin');
    await expect(signsIn('me@example.org', 'battery staple')).resolves.toBeDefined();
    const said = await admin(['create-admin', 'other@example.org', '--generate']);
    await expect(signsIn('other@example.org', /Password: (\S{16})\n/.exec(said)![1]!)).resolves.toBeDefined();
  });

  it('refuses an address that is taken or none, and what to do instead', async () => {
    await signIn(test.ports, 'user');
    await expect(admin(['create-admin', 'USER@example.org'], 'battery staple\n')).rejects.toThrow(
      'svc admin set-role user@example.org admin',
    );
    await expect(admin(['create-admin', 'nobody'], 'battery staple\n')).rejects.toThrow('nobody is no e-mail address');
    await expect(admin(['activate', 'nobody@example.org'])).rejects.toThrow('There is no account nobody@example.org');
  });

  it('sets a password, which ends the sessions of the account', async () => {
    const cookie = await signIn(test.ports, 'admin');
    const session = () => resolveSession(test.ports, { token: cookie.split('=')[1]!, ip: '192.0.2.1' });
    expect(await session()).toMatchObject({ kind: 'account' });
    expect(await admin(['set-password', 'ADMIN@example.org'], 'battery staple\n')).toContain('its sessions have ended');
    expect(await session()).toMatchObject({ kind: 'anonymous' });
    await expect(signsIn('admin@example.org', known)).rejects.toMatchObject({ code: 'bad_credentials' });
    await expect(signsIn('admin@example.org', 'battery staple')).resolves.toBeDefined();
  });

  it('holds the password policy, and changes nothing without a password', async () => {
    await signIn(test.ports, 'admin');
    await expect(admin(['set-password', 'admin@example.org'], 'changeme\n')).rejects.toThrow('common default');
    await expect(admin(['set-password', 'admin@example.org'])).rejects.toThrow('Nothing was entered');
    await expect(signsIn('admin@example.org', known)).resolves.toBeDefined();
  });

  it('asks twice on a terminal and shows nothing of what is typed', async () => {
    await signIn(test.ports, 'admin');
    const typing = async (once: string, again: string) => {
      const input = Object.assign(new PassThrough(), { isTTY: true });
      const shown: string[] = [];
      const written = ran(
        {
          input,
          err: (text) => {
            shown.push(text);
            if (text.endsWith(': ')) setImmediate(() => input.write(`${text.startsWith('Once') ? again : once}\r`));
          },
        },
        async (terminal) => {
          const command = parseAdminCommand(['set-password', 'admin@example.org']);
          await administer(command as Parameters<typeof administer>[0], test.ports, terminal);
          return 0;
        },
      );
      return { out: (await written).out, shown: shown.join('') };
    };
    await expect(typing('battery staple', 'battery stable')).rejects.toThrow('two different passwords');
    const { out, shown } = await typing('battery staple', 'battery staple');
    expect(shown).toBe('New password of admin@example.org: \nOnce more: \n');
    expect(out + shown).not.toContain('battery');
    await expect(signsIn('admin@example.org', 'battery staple')).resolves.toBeDefined();
  });

  it('changes roles and activates, and keeps the last administrator', async () => {
    await signIn(test.ports, 'user');
    const account = await test.ports.accounts.findByEmail('user@example.org');
    await test.ports.accounts.update(account!.id, { isActive: false });
    expect(await admin(['set-password', 'user@example.org', '--generate'])).toContain('svc admin activate user@');
    expect(await admin(['activate', 'user@example.org'])).toBe('user@example.org is active now.\n');
    expect(await admin(['set-role', 'user@example.org', 'admin'])).toBe('user@example.org is admin now.\n');
    await expect(admin(['set-role', 'user@example.org', 'user'])).rejects.toMatchObject({ code: 'last_admin' });
  });

  it.each([
    [[], 'takes one of list-users, create-admin'],
    [['dance'], "unknown command 'dance'"],
    [['set-role', 'a@example.org'], 'svc admin set-role EMAIL ROLE'],
    [['set-role', 'a@example.org', 'king'], 'Allowed choices are user, member, admin'],
    [['list-users', '--generate'], "unknown option '--generate'"],
    [['activate', '--now'], '--now'],
  ])('refuses %j', (argv, reason) => {
    expect(() => parseAdminCommand(argv)).toThrow(reason);
  });

  it('is written down, and whether the log is as it was written', async () => {
    await test.ports.settings.change({ activityLogEnabled: true });
    await admin(['create-admin', 'me@example.org'], 'battery staple\n');
    await admin(['set-role', 'me@example.org', 'admin']);
    const { rows } = await test.ports.activityLog.list({}, { offset: 0, limit: 9 });
    expect(rows.map(({ actorLabel, action }) => [actorLabel, action])).toEqual([
      ['system', 'admin.user.role_change'],
      ['system', 'admin.user.create'],
    ]);
    expect(await admin(['verify-activity'])).toBe('All 2 rows of 1 day are as they were written.\n');
    const folder = await mkdtemp(join(tmpdir(), 'svc-heads-'));
    try {
      const file = join(folder, 'heads.json');
      const heads = await listActivityHeads(test.ports);
      await writeFile(file, JSON.stringify(heads));
      expect(await admin(['verify-activity', '--heads', file])).toContain('as they were written');
      await writeFile(file, JSON.stringify({ ...heads, heads: [{ ...heads.heads[0], head: 'f'.repeat(64) }] }));
      await expect(admin(['verify-activity', '--heads', file])).rejects.toThrow(
        /^The log is not as it was written:\n\d{4}-\d\d-\d\d: the end of its chain is not/,
      );
      await writeFile(file, '{"heads":1}');
      await expect(admin(['verify-activity', '--heads', file])).rejects.toThrow('ends of chains');
      await expect(admin(['verify-activity', '--heads', join(folder, 'none')])).rejects.toThrow('cannot be read');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
