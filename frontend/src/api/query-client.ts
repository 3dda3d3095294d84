import { RequestError } from '@svc/contracts';
import { QueryClient } from '@tanstack/react-query';

/** Refusals are final; lost connections and failing servers are asked again. */
function worthRetrying(failures: number, error: Error): boolean {
  const final = error instanceof RequestError && error.status < 500;
  return !final && failures < 2;
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: worthRetrying, staleTime: 5000 } },
});
