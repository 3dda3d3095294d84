import { call, operations, type EnrichmentRun } from '@svc/contracts';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { invalidate, queryClient } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** Services that administrators have set up. */
export const enrichmentServicesQuery = queryOptions(operationQuery(operations.listEnrichmentServices, {}));

/** After a change of a service, also for what entity pages show of it. */
export async function enrichmentChanged(): Promise<void> {
  await Promise.all([
    invalidate(queryKey(operations.listEnrichmentServices)),
    invalidate(queryKey(operations.getEntityEnrichment)),
  ]);
}

/** What is known of an entity beyond its logs. */
export function entityEnrichmentQuery(id: number) {
  return queryOptions(operationQuery(operations.getEntityEnrichment, { id }));
}

/** Asks a service about an entity. */
export function useEnrich(id: number, serviceId: number) {
  return useMutation({
    mutationFn: (force: boolean) => call(operations.enrichEntity, { id, service_id: serviceId, force }),
    onSuccess: (enrichment) => {
      void invalidate(queryKey(operations.getRawEnrichment, { id, service_id: serviceId }));
      queryClient.setQueryData(entityEnrichmentQuery(id).queryKey, enrichment);
    },
  });
}

/** The whole answer of a service. */
export function rawEnrichmentQuery(id: number, serviceId: number) {
  return queryOptions(operationQuery(operations.getRawEnrichment, { id, service_id: serviceId }));
}

/** Whether it is still under way. */
export function isLookingUp({ status }: EnrichmentRun): boolean {
  return status === 'pending' || status === 'running';
}

/** Look-ups of the entities of a case; asked again while one is under way. */
export function caseEnrichmentQuery(id: number) {
  return queryOptions({
    ...operationQuery(operations.listCaseEnrichment, { id }),
    refetchInterval: ({ state }) => (state.data?.runs.some(isLookingUp) ? 3000 : false),
  });
}

/** Has services asked about the entities of a case, or a look-up go no further. */
export function useCaseEnrichment(id: number) {
  return useMutation({
    mutationFn: (what: { readonly ask: number | null } | { readonly stop: number }): Promise<unknown> =>
      'ask' in what
        ? call(operations.enrichCase, { id, service_id: what.ask })
        : call(operations.cancelEnrichmentRun, { id: what.stop }),
    onSuccess: () => invalidate(queryKey(operations.listCaseEnrichment, { id })),
  });
}
