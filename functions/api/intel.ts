import { allowlistEntities, toggleAllowlist } from '@svc/application/intel/allowlist-entities.ts';
import { getEntity } from '@svc/application/intel/get-entity.ts';
import { tagEntities, tagEntity, untagEntities, untagEntity } from '@svc/application/intel/tag-entities.ts';
import { writeEntityNote } from '@svc/application/intel/write-entity-note.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {
  allowlistEntities,
  getEntity,
  tagEntities,
  tagEntity,
  toggleAllowlist,
  untagEntities,
  untagEntity,
  writeEntityNote,
} satisfies TableOf<'intel'>;

export const handler = areaHandler(areaPorts.intel, table);
