import { call, operations, type Banner, type Me } from '@svc/contracts';
import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { queryKey } from './query-key.ts';

/** What stands on top of every page; undefined until the service has said. */
export const bannerQuery = queryOptions<Banner | null>({ queryKey: ['banner'], queryFn: skipToken });

/** The signed-in account, or null for a visitor without one. */
export const meQuery = queryOptions({
  queryKey: queryKey(operations.getSession),
  queryFn: async ({ signal }): Promise<Me | null> => {
    const { account, banner } = await call(operations.getSession, {}, { signal });
    queryClient.setQueryData(bannerQuery.queryKey, banner);
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
