import { parseEntitySearch } from '@svc/domain';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { mostCounted } from '../search/ordered-page.ts';
import { PgEntityLists } from './entity-lists.ts';
import { markEntities } from './mark-entities.ts';

const many = mostCounted + 2000;
const now = new Date('2026-08-01T00:00:00Z');
let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  const db = database.orm;
  // One in 10 is a user, one in 100 is tagged, one in 1,000 allowlisted.
  await db.execute(sql`
    insert into entities (type, value, value_key, first_seen_at, last_seen_at, job_count, is_allowlisted)
    select case when n % 10 = 0 then 'user' else 'hash' end, value, value, ${now}, ${now}, 1, n % 1000 = 0
    from generate_series(1, ${many}::int) as n
    cross join lateral (select concat(case when n % 10 = 0 then 'alpha' else 'beta' end, n) as value) as made`);
  await db.execute(sql`insert into entity_totals (type, many) select type, count(*) from entities group by type`);
  await db.execute(sql`insert into tags (name, color, created_at) values ('c2', 'red', ${now})`);
  await db.execute(sql`
    insert into entity_tags (entity_id, tag_id, created_at)
    select e.id, t.id, ${now} from entities e cross join tags t where e.id % 100 = 0`);
  await markEntities(
    db,
    Array.from({ length: many }, (_, place) => place + 1),
  );
}, 120_000);
afterAll(() => database.close());

it.each([
  ['', many],
  ['a', many],
  ['beta', many * 0.9],
  ['type:hash', many * 0.9],
  ['-type:user', many * 0.9],
  ['-"alpha"', many * 0.9],
  ['-tag:c2', many * 0.99],
  ['-tag:none', many],
  ['-is:allowlisted', many * 0.999],
  ['-cidr:10.0.0.0/8', many],
  ['type:hash -tag:c2', many * 0.9],
  ['tag:c2 OR beta', many * 0.91],
  ['-(tag:c2 OR beta)', many * 0.09],
])('counts all that is found, however many that are: %s', async (query, total) => {
  const admin = { kind: 'account', userId: '', email: 'a@example.org', role: 'admin', ip: '' } as const;
  const search = { root: parseEntitySearch(query).root, now };
  const order = { by: 'last_seen', isReversed: false, foldsAliases: false } as const;
  const found = await new PgEntityLists(database.orm).page(admin, search, { page: 1, per: 50, cursor: null }, order);
  expect(found.total).toBe(Math.round(total));
  expect(found.entities).toHaveLength(50);
});
