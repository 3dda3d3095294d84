import { entityLimits, type EntityType } from '@svc/domain';
import { sql } from 'drizzle-orm';
import {
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

const moment = () => timestamp({ withTimezone: true, precision: 3 });
const account = () => uuid().references(() => accounts.id, { onDelete: 'set null' });
const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
/** In the order of its bytes whatever the database's locale is, so that an index finds what begins with something. */
const orderedText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** Whose findings name an entity: nobody's that counts, of private jobs alone, or of a job that all may see. */
export const foundIn = { nothing: 0, privateJobs: 1, publicJobs: 2 } as const;

/**
 * What logs name, once for all jobs (resolved-intel 1.1). Each job that names one writes it again, and with it every
 * index of this table: those that are slow to write are on `entity_search`.
 */
export const entities = pgTable(
  'entities',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    type: text().$type<EntityType>().notNull(),
    /** As it was first seen. */
    value: text().notNull(),
    /** Lower-case: with the type, what makes two one. */
    valueKey: orderedText().notNull(),
    /** An address as its 16 bytes in IPv6. */
    ipKey: bytea(),
    /** When the first and the last job that name it were analysed. */
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
    /** Rows of `entity_job_links` that are counted; what has none goes. */
    jobCount: integer().notNull(),
    /** Whether findings that count name it (`foundIn`), which searches would else look for among all findings. */
    found: smallint().notNull().default(0),
    /** Whether a rule exists that somebody made to watch it. */
    isWatched: boolean().notNull().default(false),
    isAllowlisted: boolean().notNull().default(false),
    allowlistReason: varchar({ length: entityLimits.reason }),
    /** Who allowlisted it, or took it off, and when. */
    allowlistedBy: account(),
    allowlistedAt: moment(),
    note: varchar({ length: entityLimits.note }),
    noteBy: account(),
    noteAt: moment(),
    /** What its value says (resolved-intel 2); null where that is nothing. */
    attributes: jsonb().$type<Readonly<Record<string, string | number | boolean>>>(),
    /** The keys by which searches ask for these, in the order in which they are shown. */
    attributeKeys: text().array().notNull().default([]),
    /** Of the code that made them. */
    attributesVersion: smallint().notNull().default(0),
    /**
     * When TAXII clients were first told of it as it is now, which no other has; null until the first asks after what
     * there is to tell was committed (decision 107).
     */
    toldAt: timestamp({ withTimezone: true, precision: 6, mode: 'string' }),
    /** Its id in STIX once they were told of it; null where no pattern finds it. */
    stixId: uuid(),
  },
  (table) => [
    // One of a value and type; by name; names that begin with something.
    uniqueIndex('entities_by_value').on(table.valueKey, table.type),
    // The last seen, of all and of one type.
    index('entities_last_seen').on(table.lastSeenAt, table.id),
    index('entities_last_seen_of_type').on(table.type, table.lastSeenAt, table.id),
    // The first seen.
    index('entities_first_seen').on(table.firstSeenAt, table.id.desc().nullsFirst()),
    // Those of the most jobs.
    index('entities_by_jobs').on(table.jobCount, table.id),
    // Addresses of a network.
    index('entities_by_ip')
      .on(table.ipKey)
      .where(sql`${table.ipKey} is not null`),
    // What findings name, last seen, and how much that is.
    index('entities_found')
      .on(table.found, table.lastSeenAt, table.id)
      .where(sql`${table.found} > 0`),
    // The few that somebody watches, has allowlisted, or wrote something about.
    index('entities_watched')
      .on(table.lastSeenAt, table.id)
      .where(sql`${table.isWatched}`),
    index('entities_allowlisted')
      .on(table.lastSeenAt, table.id)
      .where(sql`${table.isAllowlisted}`),
    index('entities_noted')
      .on(table.lastSeenAt, table.id)
      .where(sql`${table.note} is not null`),
    // What TAXII clients were told, and after it what they are still to be told.
    index('entities_told').on(table.toldAt, table.lastSeenAt, table.id),
    index('entities_told_watched')
      .on(table.toldAt, table.lastSeenAt, table.id)
      .where(sql`${table.isWatched}`),
    // By their ids in STIX.
    uniqueIndex('entities_by_stix_id')
      .on(table.stixId)
      .where(sql`${table.stixId} is not null`),
  ],
);
