import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate` writes a migration for what changed in the schema. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './shared/adapters/postgres/schema/*.ts',
  out: './shared/adapters/postgres/migrations',
  casing: 'snake_case',
});
