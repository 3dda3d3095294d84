import { call, operations, type Banner, type Me } from '@svc/contracts';
import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { keepAs, kept } from '../ui/use-kept.ts';
import { queryKey } from './query-key.ts';

const bannerName = 'svc-banner';

/** What stands on top of every page; what it was last, until the service has said, so that the page does not move then. */
export const bannerQuery = queryOptions({
  queryKey: ['banner'],
  queryFn: skipToken,
  initialData: () => kept(bannerName) as Banner | null,
});

/** The signed-in account, or null for a visitor without one. */
export const meQuery = queryOptions({
  queryKey: queryKey(operations.getSession),
  queryFn: async ({ signal }): Promise<Me | null> => {
    const { account, banner } = await call(operations.getSession, {}, { signal });
    queryClient.setQueryData(bannerQuery.queryKey, banner);
    keepAs(bannerName, banner);
    return account;
  },
  staleTime: 60_000,
});

/** The account as far as it is known: undefined before the service has said, null for a visitor. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data;
}

/** The browsers in which one is signed in, the last used first. */
export const sessionsQuery = queryOptions({
  queryKey: queryKey(operations.listSessions),
  queryFn: async ({ signal }) => (await call(operations.listSessions, {}, { signal })).sessions,
});

/** Signs out and forgets everything that was read as the account. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => call(operations.logout, {}),
    onSuccess: () => queryClient.resetQueries(),
  });
}
