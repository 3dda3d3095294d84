import { planSearch } from '@svc/application/jobs/plan-search.ts';
import { jobStatuses, logTypes, searchTraits, severities, type Actor } from '@svc/domain';
import { and, sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { rowsOf } from '../rows-of.ts';
import { jobs } from '../schema/index.ts';
import { searchConditions } from './condition.ts';
import { vocabularyFor } from './vocabulary.ts';

const [ada, eve] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000e'];
const now = new Date('2026-08-01T00:00:00Z');
const list = (values: readonly string[]): SQL =>
  sql`array[${sql.join(
    values.map((one) => sql`${one}::text`),
    sql`, `,
  )}]`;
/** One of the values, another for each salt. */
const oneOf = (salt: number, values: readonly string[]): SQL =>
  sql`(${list(values)})[1 + abs(hashint4(n * 31 + ${salt}::int)) % ${values.length}::int]`;

const terms = [
  ...jobStatuses.map((status) => `status:${status}`),
  ...logTypes.slice(0, 3).map((type) => `type:${type}`),
  ...severities.map((severity) => `sev:${severity}`),
  ...searchTraits.map((trait) => `is:${trait}`),
  'security',
  '*.evtx',
  'workflow:one',
  'workflow:o',
  'findings:0,5..9',
  'findings:>6',
  'after:3w',
  'before:3w',
  'id:3,4',
  'status:failed,running',
  'is:private,hits',
  'tag:t',
  'tool:sigma',
  'host:ws1',
  'hash:ababab',
  'case:1',
];
const account = (userId: string, role: 'member' | 'admin'): Actor => ({
  kind: 'account',
  userId,
  email: 'x',
  role,
  ip: '',
});
const viewers: Actor[] = [
  { kind: 'anonymous', ip: '' },
  account(ada, 'member'),
  account(eve, 'member'),
  account(eve, 'admin'),
];

describe('a search', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    const { orm } = database;
    await orm.execute(sql`insert into accounts (id, email, password_hash, role)
      select unnest(${list([ada, eve])}::uuid[]), unnest(array['a', 'e']), '', 'member'`);
    await orm.execute(
      sql`insert into workflows (name, description, log_types, definition) select unnest(array['one', 'two', 'three']), '', '[]', ''`,
    );
    await orm.execute(sql`insert into uploaded_files (original_name, storage_key, sha256, size_bytes, detected_type, uploaded_at, uploader_ip)
      select 'x', n, repeat(n, 32), 1, 'evtx', ${now.toISOString()}::timestamptz, '' from unnest(array['ab', 'cd']) as n`);
    await orm.execute(sql`insert into jobs (file_id, workflow_id, submitted_by, submitter_ip, search_name, log_type, is_private, status,
        error_message, total_findings, severity_summary, created_at)
      select (select min(id) from uploaded_files) + n % 2, (select min(id) from workflows) + n % 3,
        nullif(${oneOf(1, [ada, eve, ''])}, '')::uuid, '', ${oneOf(2, ['security.evtx', 'a.evtx', 'b.log'])},
        ${oneOf(3, logTypes.slice(0, 4))}, hashint4(n) % 3 = 0, ${oneOf(4, jobStatuses)},
        case when hashint4(-n) % 4 = 0 then 'lost' end, greatest(0, n % 14 - 3),
        jsonb_build_object('critical', n % 5 / 4, 'high', n % 4 / 3, 'medium', n % 3 / 2, 'low', 0, 'informational', 1),
        ${now.toISOString()}::timestamptz - n * interval '2 hours'
      from generate_series(1, 600) as n`);
  });
  afterAll(() => database.close());

  async function bothWays(viewer: Actor, q: string): Promise<number> {
    const { search, errors } = planSearch(viewer, { q, tags: [] }, now);
    if (viewer.kind === 'account') expect({ q, errors }).toEqual({ q, errors: [] });
    const vocabulary = await vocabularyFor(database.orm, search);
    const { during, where, ways } = searchConditions({ db: database.orm, viewer, now, vocabulary }, search);
    const [facets, columns] = [and(during, ways.seen?.byIndex, where), and(during, ways.each)].map(
      (one) => sql`(${one ?? sql`true`}) is true`,
    );
    const [counted] = await rowsOf<{ found: number; differing: number }>(
      database.orm,
      sql`select count(*) filter (where ${facets})::int as found,
        count(*) filter (where (${facets}) <> (${columns}))::int as differing from ${jobs}`,
    );
    expect({ q, differing: counted?.differing }).toEqual({ q, differing: 0 });
    return counted?.found ?? 0;
  }

  it('finds the same by facets as by columns, whoever asks', async () => {
    let total = 0;
    for (const viewer of viewers)
      for (const term of terms)
        for (const q of [term, `-${term}`, `${term} OR -security status:failed`]) total += await bothWays(viewer, q);
    expect(total).toBeGreaterThan(terms.length * 100);
  });
});
