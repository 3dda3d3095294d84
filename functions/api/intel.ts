import { allowlistEntities, toggleAllowlist } from '@svc/application/intel/allowlist-entities.ts';
import { getEntity } from '@svc/application/intel/get-entity.ts';
import { getIntel } from '@svc/application/intel/get-intel.ts';
import { getRelationshipTimespan } from '@svc/application/intel/get-relationship-timespan.ts';
import { listEntities } from '@svc/application/intel/list-entities.ts';
import { listEntitiesTogether } from '@svc/application/intel/list-entities-together.ts';
import { listEntityFindings } from '@svc/application/intel/list-entity-findings.ts';
import { listEntityJobs } from '@svc/application/intel/list-entity-jobs.ts';
import { listEntityRelationships } from '@svc/application/intel/list-entity-relationships.ts';
import { listRelationshipEvidence } from '@svc/application/intel/list-relationship-evidence.ts';
import { suggestEntitySearch } from '@svc/application/intel/suggest-entity-search.ts';
import { tagEntities, tagEntity, untagEntities, untagEntity } from '@svc/application/intel/tag-entities.ts';
import { writeEntityNote } from '@svc/application/intel/write-entity-note.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {
  allowlistEntities,
  getEntity,
  getIntel,
  getRelationshipTimespan,
  listEntities,
  listEntitiesTogether,
  listEntityFindings,
  listEntityJobs,
  listEntityRelationships,
  listRelationshipEvidence,
  suggestEntitySearch,
  tagEntities,
  tagEntity,
  toggleAllowlist,
  untagEntities,
  untagEntity,
  writeEntityNote,
} satisfies TableOf<'intel'>;

export const handler = areaHandler(areaPorts.intel, table);
