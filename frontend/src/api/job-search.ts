import { call, operations } from '@svc/contracts';
import { queryOptions } from '@tanstack/react-query';
import { queryKey } from './query-key.ts';

/** What completes the term under the caret of a search for jobs. */
export function suggestionsQuery(q: string, pos: number) {
  return queryOptions({
    queryKey: queryKey(operations.suggestJobSearch, { q, pos }),
    // The answer tells places in a text: it has to come with the text.
    queryFn: async ({ signal }) => ({ q, ...(await call(operations.suggestJobSearch, { q, pos }, { signal })) }),
    staleTime: 30_000,
  });
}
