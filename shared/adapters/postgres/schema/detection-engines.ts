import type { EngineFound } from '@svc/application/ports/engine-runner.ts';
import { externalEngines, type EngineProgram } from '@svc/domain';
import { boolean, jsonb, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';

/** Engines that are programs of others: what administrators say of each, and what a worker found of it last. */
export const detectionEngines = pgTable('detection_engines', {
  name: text({ enum: externalEngines }).primaryKey(),
  enabled: boolean().notNull().default(false),
  /** Null for where the runner of the deployment looks by itself. */
  program: jsonb().$type<EngineProgram>(),
  found: jsonb().$type<EngineFound>(),
  foundAt: timestamp({ withTimezone: true, precision: 3 }),
  /** Host of the worker. */
  foundOn: varchar({ length: 255 }),
  /** What was said meanwhile, the end of it. */
  foundLog: text(),
});
