import { call, operations } from '@svc/contracts';
import { queryKey } from './query-key.ts';

/** What completes the term under the caret of a search for jobs. */
export function suggestionsQuery(q: string, pos: number) {
  return {
    queryKey: queryKey(operations.suggestJobSearch, { q, pos }),
    // The answer tells places in a text: it has to come with the text.
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
      q,
      ...(await call(operations.suggestJobSearch, { q, pos }, { signal })),
    }),
    staleTime: 30_000,
  };
}
