import { rowsOf } from '@svc/adapters/postgres/rows-of.ts';
import type { TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { sql } from 'drizzle-orm';
import { readFileSync } from 'node:fs';

/** Processor time of a process so far, as Linux counts it in hundredths. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

/** Of all connections that this process has to a server. */
export async function backendSeconds({ orm }: TestDatabase): Promise<number> {
  const rows = await rowsOf<{ pid: number }>(
    orm,
    sql`select pid from pg_stat_activity where application_name = 'svc' and datname = current_database()`,
  );
  // In nanoseconds: what a page takes is less than a hundredth of a second.
  const spent = rows.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]));
  return spent.reduce((sum, one) => sum + one / 1e9, 0);
}

/** Of this process. */
export function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
