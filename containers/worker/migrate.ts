import { closePorts, compose } from '@svc/adapters/compose.ts';
import { explainStartFailure } from './start-failure.ts';

try {
  const { database } = compose('database');
  await database.migrate();
  await closePorts();
  process.stdout.write('The database is up to date.\n');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, process.env)}\n`);
  process.exit(1);
}
