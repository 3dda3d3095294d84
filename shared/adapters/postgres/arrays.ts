import { sql, type SQL } from 'drizzle-orm';

/**
 * Rows of a statement as one array for each column, bound as parameters: the text of the statement stays the same
 * however many there are. To be named by `as given(…)`.
 * @param columns - of each its type in PostgreSQL, and its values
 */
export function unnested(...columns: readonly (readonly [type: string, values: readonly unknown[]])[]): SQL {
  const arrays = columns.map(([type, values]) => anArray(type, values));
  return sql`unnest(${sql.join(arrays, sql`, `)})`;
}

/** An array bound as one parameter. */
export function anArray(type: string, values: readonly unknown[]): SQL {
  return sql`${sql.param([...values])}::${sql.raw(type)}[]`;
}
