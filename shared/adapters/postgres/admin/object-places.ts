import type { PgColumn } from 'drizzle-orm/pg-core';
import {
  eventPacks,
  rawOutputs,
  ruleArtifacts,
  rulePackVersions,
  uploadedFiles,
  uploadSlots,
} from '../schema/index.ts';

/** Every column that names an object which is somebody's: what backups hold, and what sweeps leave alone. */
export const objectPlaces: readonly { readonly column: PgColumn; readonly required: boolean }[] = [
  { column: uploadedFiles.storageKey, required: true },
  { column: eventPacks.storageKey, required: true },
  { column: rawOutputs.storageKey, required: true },
  { column: rulePackVersions.filesKey, required: true },
  { column: rulePackVersions.reportKey, required: true },
  { column: ruleArtifacts.storageKey, required: true },
  // Whoever has it may not have sent the bytes yet.
  { column: uploadSlots.storageKey, required: false },
];
