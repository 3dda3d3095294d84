import { call, operations } from '@svc/contracts';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';

/** What an entity may be the same as, or those of its type that a text is in. */
export function aliasSuggestionsQuery(id: number, q: string) {
  return queryOptions({
    ...operationQuery(operations.suggestAliases, { id, ...(q !== '' && { q }) }),
    placeholderData: keepPreviousData,
  });
}

/** How much there is behind the tabs of an entity, of one job if that is chosen. */
export function entityCountsQuery(id: number, job: number | undefined, withAliases: boolean) {
  const asked = { id, ...(job !== undefined && { job }), ...(withAliases && { fold_aliases: true }) };
  return queryOptions({ ...operationQuery(operations.countEntityLinks, asked), staleTime: 60_000 });
}

/** Says that entities are the same. */
export async function uniteEntities([id, ...others]: readonly number[]): Promise<void> {
  if (id === undefined || others.length === 0) return;
  await call(operations.uniteEntities, { id, entity_ids: others });
  await readAgain();
}

/** Changes what an entity is the same as, and reads what depends on it anew: others of its group, too. */
export function useAliasChange(id: number) {
  return useMutation({
    mutationFn: ({ other, isSame }: { readonly other: number; readonly isSame: boolean }) =>
      isSame ? uniteEntities([id, other]) : call(operations.separateEntity, { id: other }).then(readAgain),
  });
}

function readAgain(): Promise<unknown> {
  return invalidate(
    queryKey(operations.getEntity),
    queryKey(operations.listEntities),
    queryKey(operations.suggestAliases),
    queryKey(operations.listEntityJobs),
    queryKey(operations.listEntityFindings),
    queryKey(operations.countEntityLinks),
    queryKey(operations.getEntityGraph),
  );
}
