import { roles, type Role } from '@svc/domain';
import { parseArgs } from 'node:util';
import { choice, UsageError } from '../argument-values.ts';

/** What to do to the accounts. `generate` makes a password up instead of asking for one. */
export type AdminCommand =
  | { readonly name: 'list-users' }
  | { readonly name: 'create-admin'; readonly email: string; readonly generate: boolean }
  | { readonly name: 'set-password'; readonly email: string; readonly generate: boolean }
  | { readonly name: 'set-role'; readonly email: string; readonly role: Role }
  | { readonly name: 'activate'; readonly email: string }
  | { readonly name: 'help' };

type CommandName = Exclude<AdminCommand['name'], 'help'>;

export const adminUsage = `Usage: svc admin COMMAND

Changes accounts directly in the database of the service, for when nobody can sign in.

  svc admin list-users                 every account with its role and state
  svc admin create-admin EMAIL         add an administrator
  svc admin set-password EMAIL         give an account a new password; its sessions end
  svc admin set-role EMAIL ROLE        ROLE is user, member or admin
  svc admin activate EMAIL             let an account sign in again

  --generate                           make the password up and print it

A password is asked for without showing it, or read from standard input: its first line.

The database is the one that the environment names, as for the service: DATABASE_URL, or
the folder DATA_DIR [./data]. While the service runs on that folder, stop it first.

Exit code: 0 when it was done, 1 when it was refused, 2 when the command line cannot be
understood or the database cannot be opened.
`;

/** Words that each command takes. */
const words = {
  'list-users': [],
  'create-admin': ['EMAIL'],
  'set-password': ['EMAIL'],
  'set-role': ['EMAIL', 'ROLE'],
  activate: ['EMAIL'],
} as const satisfies Record<CommandName, readonly string[]>;

const names = Object.keys(words) as CommandName[];

/** Reads the arguments after `svc admin`; throws a `UsageError`. */
export function parseAdminCommand(argv: readonly string[]): AdminCommand {
  const { values, positionals } = parse(argv);
  const [name = '', ...given] = positionals;
  if (values.help) return { name: 'help' };
  const known = names.find((one) => one === name);
  if (known === undefined) {
    const problem = name === '' ? 'Say what to do' : `There is no command "admin ${name}"`;
    throw new UsageError(`${problem}; there are ${names.join(', ')}`);
  }
  const usage = ['svc admin', known, ...words[known]].join(' ');
  if (given.length !== words[known].length) throw new UsageError(`It is: ${usage}`);
  const [email = '', role = ''] = given;
  const generate = values.generate ?? false;
  if (known === 'create-admin' || known === 'set-password') return { name: known, email, generate };
  if (generate) throw new UsageError(`svc admin ${known} takes no --generate`);
  if (known === 'set-role') return { name: known, email, role: choice('ROLE', role, roles) };
  return known === 'activate' ? { name: known, email } : { name: known };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { generate: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
