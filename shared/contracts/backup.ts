import { z } from 'zod';

const Count = z.int().nonnegative();
const Digest = z.string().regex(/^[0-9a-f]{64}$/);
/** A file of the backup, as it was written. */
const Part = z.object({
  file: z.string().regex(/^[a-z0-9_]+(\/[a-z0-9_]+)?\.jsonl\.gz$/),
  bytes: Count,
  sha256: Digest,
});

/** What a backup says of itself, in `manifest.json`; written last, so that a backup which has one is whole. */
export const BackupManifest = z.object({
  format: z.literal(1),
  /** Of the service that made it. */
  version: z.string(),
  /** What was answered before is in it. */
  taken_at: z.iso.datetime(),
  /** The last migration of the database. */
  schema: z.object({ name: z.string(), at: z.int() }),
  /** How many secrets are sealed under which key, by its id. */
  sealed_under: z.record(z.string(), Count),
  /** The last number that was given out, by sequence. */
  numbers: z.record(z.string(), z.int()),
  /** In the order in which they can be filled. */
  tables: z.array(Part.extend({ table: z.string(), rows: Count })),
  /** The list of objects; each lies under its key in `objects`. */
  objects: Part.extend({
    count: Count,
    total_bytes: Count,
    /** Keys that the database names, and that the service did not have itself. */
    missing: z.array(z.string()),
  }),
});
export type BackupManifest = z.output<typeof BackupManifest>;

/** A line of the list of objects. */
export const BackedUpObject = z.object({
  key: z.string().regex(/^([a-z]+\/)?[0-9a-f]{32}\.[a-z]+$/),
  bytes: Count,
  sha256: Digest,
});
export type BackedUpObject = z.output<typeof BackedUpObject>;
