import { allowlistEntities, toggleAllowlist } from '@svc/application/intel/allowlist-entities.ts';
import { countEntityLinks } from '@svc/application/intel/count-entity-links.ts';
import { countGraphNeighbours } from '@svc/application/intel/count-graph-neighbours.ts';
import {
  enrichEntity,
  getEntityEnrichment,
  getRawEnrichment,
} from '@svc/application/intel/enrichment/enrich-entity.ts';
import {
  bulkEnrich,
  cancelEnrichmentRun,
  enrichCase,
  getEnrichmentRun,
  listCaseEnrichment,
} from '@svc/application/intel/enrichment/enrich-many.ts';
import { exportEntityGraph } from '@svc/application/intel/export-entity-graph.ts';
import { findGraphPath } from '@svc/application/intel/find-graph-path.ts';
import { getEntityGraph } from '@svc/application/intel/get-entity-graph.ts';
import { getGraphSchema } from '@svc/application/intel/get-graph-schema.ts';
import { getEntity } from '@svc/application/intel/get-entity.ts';
import { getEntityMitre, getEntityMitreLayer, getIntelMitreLayer } from '@svc/application/intel/get-entity-mitre.ts';
import { getEntityProcessTree } from '@svc/application/intel/get-entity-process-tree.ts';
import { getEntitySightings } from '@svc/application/intel/get-entity-sightings.ts';
import { getEntityThreats } from '@svc/application/intel/get-entity-threats.ts';
import { getIntel } from '@svc/application/intel/get-intel.ts';
import { getRelationshipTimespan } from '@svc/application/intel/get-relationship-timespan.ts';
import { getSeenBefore } from '@svc/application/intel/get-seen-before.ts';
import { lookUpEntities } from '@svc/application/intel/look-up-entities.ts';
import { listEntityIds } from '@svc/application/intel/list-entity-ids.ts';
import { searchNews } from '@svc/application/intel/search-news.ts';
import { listAssociatedEntities } from '@svc/application/intel/list-associated-entities.ts';
import { listEntities } from '@svc/application/intel/list-entities.ts';
import { listEntitiesTogether } from '@svc/application/intel/list-entities-together.ts';
import { listEntityFindings } from '@svc/application/intel/list-entity-findings.ts';
import { listEntityJobs } from '@svc/application/intel/list-entity-jobs.ts';
import { listEntityRelationships } from '@svc/application/intel/list-entity-relationships.ts';
import { listJobFindings } from '@svc/application/intel/list-job-findings.ts';
import { listRelationshipEvidence } from '@svc/application/intel/list-relationship-evidence.ts';
import { suggestAliases } from '@svc/application/intel/suggest-aliases.ts';
import { suggestEntitySearch } from '@svc/application/intel/suggest-entity-search.ts';
import { tagEntities, tagEntity, untagEntities, untagEntity } from '@svc/application/intel/tag-entities.ts';
import { separateEntity, uniteEntities } from '@svc/application/intel/unite-entities.ts';
import { writeEntityNote } from '@svc/application/intel/write-entity-note.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type TableOf } from '../route.ts';

const table = {
  allowlistEntities,
  bulkEnrich,
  cancelEnrichmentRun,
  countEntityLinks,
  countGraphNeighbours,
  enrichCase,
  enrichEntity,
  exportEntityGraph: presented(exportEntityGraph, (bytes, { input: { id } }) => ({
    headers: { 'content-disposition': `attachment; filename="entity-${id}-graph.graphml"` },
    bytes,
  })),
  findGraphPath,
  getEnrichmentRun,
  getEntity,
  getEntityEnrichment,
  getEntityMitre,
  getEntityMitreLayer: presented(getEntityMitreLayer, (_, { input: { id } }) => ({
    headers: { 'content-disposition': `attachment; filename="entity-${id}-mitre-layer.json"` },
  })),
  getEntityProcessTree,
  getEntityGraph,
  getEntitySightings,
  getEntityThreats,
  getGraphSchema,
  getIntel,
  getIntelMitreLayer: presented(getIntelMitreLayer, () => ({
    headers: { 'content-disposition': 'attachment; filename="svc-mitre-layer.json"' },
  })),
  getRawEnrichment,
  getRelationshipTimespan,
  getSeenBefore,
  listAssociatedEntities,
  listCaseEnrichment,
  listEntities,
  listEntitiesTogether,
  listEntityFindings,
  listEntityIds,
  listEntityJobs,
  listEntityRelationships,
  listJobFindings,
  listRelationshipEvidence,
  lookUpEntities,
  searchNews,
  separateEntity,
  suggestAliases,
  suggestEntitySearch,
  tagEntities,
  tagEntity,
  toggleAllowlist,
  uniteEntities,
  untagEntities,
  untagEntity,
  writeEntityNote,
} satisfies TableOf<'intel'>;

export const handler = areaHandler(areaPorts.intel, table);
