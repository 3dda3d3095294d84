import { RequestError } from '@svc/contracts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** Refusals are final; lost connections and failing servers are asked again. */
function worthRetrying(failures: number, error: Error): boolean {
  const final = error instanceof RequestError && error.status < 500;
  return !final && failures < 2;
}

/** A session can end while its page is open: the page then asks again who is signed in. */
function noticeEndedSession(error: Error): void {
  if (error instanceof RequestError && error.code === 'unauthenticated') {
    void queryClient.invalidateQueries({ queryKey: ['me'] });
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndedSession }),
  mutationCache: new MutationCache({ onError: noticeEndedSession }),
  defaultOptions: { queries: { retry: worthRetrying, staleTime: 5000 } },
});
