import { closePorts, compose } from '@svc/adapters/compose.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { AppError } from '@svc/domain';
import { UsageError } from '../argument-values.ts';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { type AdminCommand, parseAdminCommand } from './arguments.ts';
import { backUp, restore, verify } from './backups.ts';

/** What writes down what was done. */
const recording = ['activityLog', 'clock', 'log', 'settings'] as const;

/** Runs `svc admin` with the arguments after it, on the database of the environment; resolves to the exit code. */
export async function runAdmin(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const command = parseAdminCommand(argv);
    if (command.name === 'printed') terminal.out(command.text);
    else await carryOut(command, terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) terminal.err(`svc: ${error.message}\nTry: ${error.command} --help\n`);
    else terminal.err(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof AppError ? 1 : 2;
  } finally {
    await closePorts();
  }
}

async function carryOut(command: AdminCommand, terminal: Terminal): Promise<void> {
  const { database } = compose('database');
  switch (command.name) {
    case 'verify':
      return verify(command, compose('databaseArchive', 'deployment'), terminal);
    case 'backup': {
      await requireDatabase(database);
      await database.open('copy');
      await refusePending(database);
      const names = ['databaseArchive', 'deployment', 'objects', 'secretBox'] as const;
      return backUp(command, compose(...names, ...recording), terminal);
    }
    case 'restore': {
      const names = [
        'database',
        'databaseArchive',
        'deployment',
        'objectArchive',
        'objectListing',
        'objects',
        'secretBox',
        'storageRecords',
      ] as const;
      return restore(command, compose(...names, ...recording), terminal);
    }
    default: {
      await requireDatabase(database);
      await database.open('visit');
      return administer(command, compose('accounts', 'passwords', ...recording), terminal);
    }
  }
}

/** A backup is of what the service has, which another version is not to change. */
async function refusePending(database: Ports['database']): Promise<void> {
  const { state } = await database.schema();
  if (state === 'at_head') return;
  const other = state === 'pending' ? 'an earlier' : 'a later';
  throw new AppError(
    'conflict',
    `The database has the schema of ${other} version of the service: make its backup with that version`,
  );
}

/** Else a wrong folder would get a database, and an account that is of no use. */
async function requireDatabase(database: Ports['database']): Promise<void> {
  if (await database.exists()) return;
  throw new Error('There is no database yet; set DATA_DIR or DATABASE_URL as for the service, which makes it');
}
