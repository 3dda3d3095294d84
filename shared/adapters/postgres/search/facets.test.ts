import { jobStatuses, logTypes } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { rowsOf } from '../rows-of.ts';
import { named, type Facet } from './facets.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** What a job has a facet of by the hash of a word, and which no exact condition stands beside. */
const engines = ['sigma-native', 'zircolite', 'chainsaw', 'hayabusa', 'chopchopgo'];

it('gives every word that a search may name a number of its own', async () => {
  const facets: Facet[] = [
    ...jobStatuses.map((status) => named('status', status)),
    ...logTypes.map((type) => named('type', type)),
    ...engines.map((engine) => named('tool', engine)),
  ];
  const rows = await rowsOf<{ facet: number }>(
    database.orm,
    sql.join(
      facets.map((facet) => sql`select ${facet} as facet`),
      sql` union all `,
    ),
  );
  expect(new Set(rows.map(({ facet }) => facet)).size).toBe(facets.length);
});
