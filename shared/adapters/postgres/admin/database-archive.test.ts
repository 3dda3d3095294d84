import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import * as schema from '../schema/index.ts';
import { objectPlaces } from './object-places.ts';
import { sealedSecrets } from './sealed-secrets.ts';

const columns = Object.values(schema)
  .filter((one) => is(one, PgTable))
  .flatMap((table) => Object.values(getTableColumns(table)));

it('knows every column that names an object, and every one that has a sealed secret', () => {
  const named = columns.filter(({ name }) => /(storage|files|report)Key$/.test(name));
  expect(new Set(objectPlaces.map(({ column }) => column))).toEqual(new Set(named));
  expect(new Set(columns.filter(({ name }) => /sealed/i.test(name)))).toEqual(
    new Set(sealedSecrets.map(({ column }) => column)),
  );
});
