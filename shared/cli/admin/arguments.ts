import { Argument, type Command } from '@commander-js/extra-typings';
import { roles, type Role } from '@svc/domain';
import { type Printed, readCommandLine } from '../command-line.ts';

/**
 * What to do to the accounts, `generate` makes a password up instead of asking for one; or to look whether the activity log is
 * as it was written, against ends of its chains in a file.
 */
export type AccountCommand =
  | { readonly name: 'list-users' }
  | { readonly name: 'create-admin'; readonly email: string; readonly generate: boolean }
  | { readonly name: 'set-password'; readonly email: string; readonly generate: boolean }
  | { readonly name: 'set-role'; readonly email: string; readonly role: Role }
  | { readonly name: 'activate'; readonly email: string }
  | { readonly name: 'verify-activity'; readonly heads: string | undefined };

/** What to do with the backup in a folder. */
export type BackupCommand =
  | { readonly name: 'backup' | 'verify'; readonly folder: string }
  | { readonly name: 'restore'; readonly folder: string; readonly withoutKeys: boolean };

export type AdminCommand = AccountCommand | BackupCommand;

/** Reads the arguments after `svc admin`; throws a `UsageError`. */
export function parseAdminCommand(argv: readonly string[]): AdminCommand | Printed {
  return readCommandLine<AdminCommand>('svc admin', argv, (program, take) => {
    program
      .description(
        'Changes accounts directly in the database of the service, for when nobody can sign in, verifies its activity log, and makes and restores backups.',
      )
      .usage('COMMAND')
      .addHelpText(
        'after',
        `
A password is asked for without showing it, or read from standard input: its first line.

The database is the one that the environment names, as for the service: DATABASE_URL, or
the folder DATA_DIR [./data]. Where the service uses PGlite on that folder, stop it first,
but for a backup.

Exit code: 0 when it was done, 1 when it was refused, 2 when the command line cannot be
understood or the database cannot be opened.`,
      );
    program
      .command('list-users')
      .description('every account with its role and state')
      .action(() => take({ name: 'list-users' }));
    ofAccount(program, 'create-admin', 'EMAIL [--generate]', 'add an administrator')
      .option('--generate', 'make the password up and print it', false)
      .action((email, { generate }) => take({ name: 'create-admin', email, generate }));
    ofAccount(program, 'set-password', 'EMAIL [--generate]', 'give an account a new password; its sessions end')
      .option('--generate', 'make the password up and print it', false)
      .action((email, { generate }) => take({ name: 'set-password', email, generate }));
    ofAccount(program, 'set-role', 'EMAIL ROLE', 'make an account that of a user, member or admin')
      .addArgument(new Argument('<ROLE>', 'what it may do from then on').choices(roles))
      .action((email, role) => take({ name: 'set-role', email, role }));
    ofAccount(program, 'activate', 'EMAIL', 'let an account sign in again').action((email) =>
      take({ name: 'activate', email }),
    );
    program
      .command('verify-activity')
      .usage('[--heads FILE]')
      .description('look whether the activity log is as it was written')
      .option('--heads <FILE>', 'compare it with the ends of its chains that were exported before')
      .action(({ heads }) => take({ name: 'verify-activity', heads }));
    ofFolder(program, 'backup', 'DIR', 'back up database and files into a folder, while the service runs').action(
      (folder) => take({ name: 'backup', folder }),
    );
    ofFolder(program, 'verify', 'DIR', 'read a backup and look whether all of it is as it was written').action(
      (folder) => take({ name: 'verify', folder }),
    );
    ofFolder(program, 'restore', 'DIR [--without-keys]', 'fill an empty place with a backup')
      .option('--without-keys', 'go on where the keys of stored secrets are lost; these count as not set', false)
      .action((folder, { withoutKeys }) => take({ name: 'restore', folder, withoutKeys }));
  });
}

function ofFolder(program: Command, name: string, usage: string, description: string) {
  return program.command(name).usage(usage).description(description).argument('<DIR>', 'the folder of the backup');
}

function ofAccount(program: Command, name: string, usage: string, description: string) {
  return program.command(name).usage(usage).description(description).argument('<EMAIL>', 'the account');
}
