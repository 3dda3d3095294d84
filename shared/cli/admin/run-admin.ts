import { closePorts, compose } from '@svc/adapters/compose.ts';
import { AppError } from '@svc/domain';
import { UsageError } from '../argument-values.ts';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { parseAdminCommand } from './arguments.ts';

/** Runs `svc admin` with the arguments after it, on the database of the environment; resolves to the exit code. */
export async function runAdmin(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const command = parseAdminCommand(argv);
    if (command.name === 'printed') terminal.out(command.text);
    else await administer(command, await openPorts(), terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) terminal.err(`svc: ${error.message}\nTry: ${error.command} --help\n`);
    else terminal.err(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof AppError ? 1 : 2;
  } finally {
    await closePorts();
  }
}

async function openPorts() {
  const { database, ...ports } = compose(
    'accounts',
    'activityLog',
    'clock',
    'database',
    'log',
    'passwords',
    'settings',
  );
  // Else a wrong folder would get a database, and an account that is of no use.
  if (!(await database.exists())) {
    throw new Error('There is no database yet; set DATA_DIR or DATABASE_URL as for the service, which makes it');
  }
  await database.open('visit');
  return ports;
}
