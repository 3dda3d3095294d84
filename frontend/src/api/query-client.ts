import { operations, RequestError } from '@svc/contracts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { queryKey, type OperationKey } from './query-key.ts';

/** Refusals are final; lost connections and failing servers are asked again. */
function worthRetrying(failures: number, error: Error): boolean {
  const final = error instanceof RequestError && error.status < 500;
  return !final && failures < 2;
}

/** A session can end while its page is open: the page then asks again who is signed in. */
export function noticeEndedSession(error: Error): void {
  if (error instanceof RequestError && error.code === 'unauthenticated') {
    void invalidate(queryKey(operations.getSession));
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndedSession }),
  mutationCache: new MutationCache({ onError: noticeEndedSession }),
  defaultOptions: { queries: { retry: worthRetrying, staleTime: 5000 } },
});

/** Has answers under these keys read anew: at once those on the page, the others when they are next shown. */
export async function invalidate(...keys: readonly OperationKey[]): Promise<void> {
  await Promise.all(keys.map(readAnew));
}

async function readAnew(key: OperationKey): Promise<void> {
  // Of these the library waits for the answer that is on its way, which may know nothing of the change.
  const first = queryClient
    .getQueryCache()
    .findAll({ queryKey: key, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
  await queryClient.invalidateQueries({ queryKey: key });
  if (first.length > 0)
    await queryClient.invalidateQueries({ queryKey: key, predicate: (query) => first.includes(query) });
}
