import type { Client } from 'pg';

/** Who uses the database while somebody else owns it. */
export interface ServiceRole {
  readonly name: string;
  /** Whether it signs in by tokens of RDS: then it has no password, and can be made by whoever migrates. */
  readonly byToken: boolean;
}

/**
 * Lets the role read and write rows of all tables, also of those that later migrations make, and nothing else.
 * To be run by the role that migrates, as often as it does. Rejects with a sentence for the operator.
 */
export async function grantRows(client: Client, { name, byToken }: ServiceRole): Promise<void> {
  const role = client.escapeIdentifier(name);
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  if (rowCount === 0 && !byToken) {
    throw new Error(`There is no role ${role} to serve with; make it first: create role ${role} login password '…'`);
  }
  if (rowCount === 0) await client.query(`create role ${role} login`);
  for (const statement of [
    ...(byToken ? [`grant rds_iam to ${role}`] : []),
    // Of databases that began before PostgreSQL 15, where everybody may.
    'revoke create on schema public from public',
    `grant usage on schema public, drizzle to ${role}`,
    `grant select on all tables in schema drizzle to ${role}`,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
    `grant usage, select, update on all sequences in schema public to ${role}`,
    `alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`,
    `alter default privileges in schema public grant usage, select, update on sequences to ${role}`,
  ]) {
    await client.query(statement);
  }
}
