import { many, namesOf, type Tellers } from './teller.ts';

function target(id: number) {
  return ['enrichment_service', id] as const;
}

/** Of enrichment services: names of the fields that were changed, never a token; and who has whole cases looked up. */
export const enrichmentDeeds = {
  createEnrichmentService: ({ input: { api_token: token }, output: { id, name } }) => ({
    action: 'admin.enrichment.create',
    target: target(id),
    summary: `Set up the enrichment service “${name}”`,
    metadata: { has_token: token !== '' },
  }),
  changeEnrichmentService: ({ input, output: { id, name } }) => ({
    action: 'admin.enrichment.update',
    target: target(id),
    summary: `Changed the enrichment service “${name}”`,
    metadata: { fields: namesOf(input) },
  }),
  toggleEnrichmentService: ({ output: { id, name, enabled } }) => ({
    action: 'admin.enrichment.toggle',
    target: target(id),
    summary: `Switched the enrichment service “${name}” ${enabled ? 'on' : 'off'}`,
    metadata: { enabled },
  }),
  clearEnrichmentToken: ({ output: { id, name } }) => ({
    action: 'admin.enrichment.clear_token',
    target: target(id),
    summary: `Forgot the token of the enrichment service “${name}”`,
  }),
  deleteEnrichmentService: ({ output: { id, name } }) => ({
    action: 'admin.enrichment.delete',
    target: target(id),
    summary: `Deleted the enrichment service “${name}” and what it has said`,
  }),
  enrichEntity: ({ input: { id, service_id: serviceId, force } }) => ({
    action: 'intel.entity.enrich',
    target: ['entity', id],
    summary: 'Looked an entity up in an enrichment service',
    metadata: { service_id: serviceId, force },
  }),
  bulkEnrich: ({ input: { ids, service_id: serviceId } }) => ({
    action: 'intel.entity.enrich',
    summary: `Had ${many(ids.length, 'entity', 'entities')} looked up in an enrichment service`,
    metadata: { service_id: serviceId, count: ids.length },
  }),
  enrichCase: ({ input: { id }, output: { runs } }) =>
    runs.length === 0
      ? null
      : {
          action: 'intel.entity.enrich',
          target: ['case', id],
          summary: `Had the entities of a case looked up in ${many(runs.length, 'enrichment service')}`,
          metadata: { service_ids: runs.map((run) => run.service_id) },
        },
  cancelEnrichmentRun: null,
} satisfies Partial<Tellers>;
