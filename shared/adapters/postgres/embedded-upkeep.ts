import type { QueryClient } from './pglite-client.ts';

/** How often is looked, in milliseconds. A server looks once a minute, and does not work in everybody's turn. */
const every = 10_000;
/** With no more transactions between two looks, few people wait. */
const quiet = 200;
/** Bytes of a table and its indexes that are vacuumed in less than half a second. */
const small = 16 * 2 ** 20;

/** Does what a server's autovacuum does; `stop` ends that, and waits for the table that is being looked after. */
export function keepUp(client: QueryClient): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let tending: Promise<void> | null = null;
  let transactions = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    const { rows } = await client.query(
      'select xact_commit::float8 as count from pg_stat_database where datname = current_database()',
    );
    const { count } = rows[0] as { count: number };
    const isQuiet = count - transactions <= quiet;
    transactions = count;
    await tendTables(client, { isQuiet, signal: stopping.signal });
  };
  const timer = setInterval(() => {
    // A table that cannot be looked after now is due the next time, too; who uses the database learns of its end.
    tending ??= look()
      .catch(() => undefined)
      .then(() => void (tending = null));
  }, every);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await tending;
    },
  };
}

/**
 * Vacuums and analyses the tables of which as much has changed as makes autovacuum do it
 * (https://www.postgresql.org/docs/18/routine-vacuuming.html#AUTOVACUUM), one after the other, so that others come
 * between. Plans of foreign keys are kept until their table is analysed again: those made while a table was empty read
 * all of it for each row once it has grown.
 * @param options.isQuiet - large tables are vacuumed, too, which takes seconds
 */
export async function tendTables(
  client: QueryClient,
  { isQuiet, signal }: { readonly isQuiet: boolean; readonly signal?: AbortSignal },
): Promise<void> {
  const { rows } = await client.query(due, [isQuiet ? Number.MAX_SAFE_INTEGER : small]);
  for (const { command } of rows as { command: string }[]) {
    if (signal?.aborted === true) return;
    await client.query(command);
  }
}

const setting = (name: string): string => `
  coalesce((select option_value from pg_options_to_table(c.reloptions) where option_name = '${name}'),
    current_setting('${name}'))::float8`;
const exceeds = (changed: string, kind: string): string =>
  `${changed} > ${setting(`autovacuum_${kind}_threshold`)}
    + ${setting(`autovacuum_${kind}_scale_factor`)} * greatest(c.reltuples, 0)`;

const due = `
  select case when is_vacuumed then 'vacuum (analyze) ' else 'analyze ' end || name as command
  from (
    select c.oid::regclass::text as name,
      (${exceeds('s.n_dead_tup', 'vacuum')} or ${exceeds('s.n_ins_since_vacuum', 'vacuum_insert')})
        and pg_total_relation_size(c.oid) <= $1::float8 as is_vacuumed,
      ${exceeds('s.n_mod_since_analyze', 'analyze')} as is_analyzed
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  ) as tables
  where is_vacuumed or is_analyzed`;
