import { moveDatabase } from '@svc/adapters/move-database.ts';
import { explainStartFailure } from './start-failure.ts';

try {
  const tables = await moveDatabase();
  for (const { table, rows } of tables) process.stdout.write(`${String(rows).padStart(10)}  ${table}\n`);
  process.stdout.write('Moved; every table was counted on both sides.\n');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, process.env)}\n`);
  process.exit(1);
}
