import { changePassword, setUserActive, setUserRole } from '@svc/application/admin/change-user.ts';
import { createUser } from '@svc/application/admin/create-user.ts';
import { generatePassword } from '@svc/application/auth/generate-password.ts';
import { listUsers } from '@svc/application/admin/list-users.ts';
import { deedOf } from '@svc/application/admin/activity/deeds.ts';
import { many } from '@svc/application/admin/activity/deeds/teller.ts';
import { recordActivity } from '@svc/application/admin/activity/record-activity.ts';
import { verifyActivity, type VerifiedActivity } from '@svc/application/admin/activity/verify-activity.ts';
import { presentUser } from '@svc/application/auth/present-user.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { operations, type ActivityHead, type OperationName, type User } from '@svc/contracts';
import { AppError, type Account } from '@svc/domain';
import { readFile } from 'node:fs/promises';
import { askSecret } from '../ask-secret.ts';
import { gridLines } from '../formats/grid.ts';
import { styleFor } from '../formats/style.ts';
import type { Terminal } from '../terminal.ts';
import type { AccountCommand } from './arguments.ts';
import { doer, operator } from './operator.ts';

export type AdminPorts = Pick<Ports, 'accounts' | 'activityLog' | 'clock' | 'log' | 'passwords' | 'settings'>;

/** Runs one command and prints what came of it; throws an `AppError` when it is refused or finds a changed log. */
export async function administer(command: AccountCommand, ports: AdminPorts, terminal: Terminal): Promise<void> {
  const say = (text: string): void => terminal.out(`${text}\n`);
  switch (command.name) {
    case 'list-users':
      return say(table((await listUsers(ports)).users, terminal));
    case 'create-admin':
      return say(await createAdmin(ports, command, terminal));
    case 'set-password': {
      const { id, email, isActive } = await accountOf(ports, command.email);
      const { password, remark } = await newPassword(command, terminal);
      const input = { id, password };
      await record(ports, 'setUserPassword', input, presentUser(await changePassword(ports, input)));
      const hint = isActive ? '' : `\nIt is not active: svc admin activate ${email}`;
      return say(`${email} has a new password; its sessions have ended.${remark}${hint}`);
    }
    case 'set-role': {
      const { id } = await accountOf(ports, command.email);
      const input = { id, role: command.role };
      const user = await setUserRole(ports, operator, input);
      await record(ports, 'setUserRole', input, user);
      return say(`${user.email} is ${user.role} now.`);
    }
    case 'activate': {
      const { id } = await accountOf(ports, command.email);
      const input = { id, is_active: true };
      const user = await setUserActive(ports, operator, input);
      await record(ports, 'setUserActive', input, user);
      return say(`${user.email} is active now.`);
    }
    case 'verify-activity':
      return say(verdict(await verifyActivity(ports, await keptHeads(command.heads))));
  }
}

async function createAdmin(
  ports: AdminPorts,
  command: Extract<AccountCommand, { name: 'create-admin' }>,
  terminal: Terminal,
): Promise<string> {
  const parsed = operations.createUser.body.shape.email.safeParse(command.email);
  if (!parsed.success) throw new AppError('bad_request', `${command.email} is no e-mail address`);
  const known = await ports.accounts.findByEmail(parsed.data);
  if (known) {
    const hints = [`svc admin set-role ${known.email} admin`, `svc admin set-password ${known.email}`];
    throw new AppError('email_taken', `There is an account ${known.email} already; see ${hints.join(' and ')}`);
  }
  const { password, remark } = await newPassword(command, terminal);
  const input = { email: parsed.data, password, role: 'admin' } as const;
  const user = await createUser(ports, operator, input);
  await record(ports, 'createUser', input, user);
  return `${user.email} is an administrator now.${remark}`;
}

async function accountOf({ accounts }: AdminPorts, email: string): Promise<Account> {
  const account = await accounts.findByEmail(email);
  if (!account) throw new AppError('not_found', `There is no account ${email}; see svc admin list-users`);
  return account;
}

/** Writes down what the operator has done, as a request for it would have been. */
async function record(ports: AdminPorts, name: OperationName, input: unknown, output: unknown): Promise<void> {
  const before = { settings: await ports.settings.current(), name: null, isOthers: false };
  const deed = deedOf(name, { input, output, before });
  if (deed !== null) await recordActivity(ports, doer, before.settings, deed);
}

async function keptHeads(path: string | undefined): Promise<ActivityHead[]> {
  if (path === undefined) return [];
  const parsed = operations.listActivityHeads.output.safeParse(await readJson(path));
  if (parsed.success) return parsed.data.heads;
  throw new AppError('bad_request', `${path} does not have the ends of chains as the service exports them`);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    throw new AppError('bad_request', `${path} cannot be read: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
}

function verdict({ days, rows, pruned, problems }: VerifiedActivity): string {
  if (problems.length > 0) throw new AppError('conflict', `The log is not as it was written:\n${problems.join('\n')}`);
  const removed = pruned === 0 ? '' : `, ${pruned} of them removed when their time was over`;
  return `All ${many(rows, 'row')} of ${many(days, 'day')}${removed} are as they were written.`;
}

/** What was entered, twice where it cannot be seen, or what is made up and has to be told. */
async function newPassword(
  { email, generate }: { readonly email: string; readonly generate: boolean },
  terminal: Terminal,
): Promise<{ password: string; remark: string }> {
  if (generate) {
    const password = generatePassword();
    return { password, remark: `\nPassword: ${password}\nIt is shown only now; keep it.` };
  }
  const password = await askSecret(terminal, `New password of ${email}: `);
  if (terminal.input.isTTY && (await askSecret(terminal, 'Once more: ')) !== password) {
    throw new AppError('weak_password', 'These are two different passwords; nothing was changed');
  }
  return { password, remark: '' };
}

function table(users: readonly User[], { width, colour }: Terminal): string {
  if (users.length === 0) return 'There is no account; see svc admin create-admin.';
  const lines = gridLines<User>(
    [
      { title: 'account', cell: ({ email }) => email, flexible: 20 },
      { title: 'role', cell: ({ role }) => role },
      { title: 'state', cell: ({ is_active: isActive }) => (isActive ? 'active' : 'inactive') },
      { title: 'created', cell: ({ created_at: createdAt }) => createdAt.slice(0, 10), rank: 1 },
      { title: 'name', cell: ({ display_name: name }) => name ?? '', rank: 2 },
    ],
    users,
    { width, style: styleFor(colour) },
  );
  return lines.join('\n');
}
