import { call, operations, type SiteSettings, type User } from '@svc/contracts';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** All accounts, by address. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await call(operations.listUsers, {}, { signal })).users,
});

/** All API tokens, newest first, and whether a proxy's basic authentication keeps them out. */
export const apiTokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: ({ signal }) => call(operations.listApiTokens, {}, { signal }),
});

/** Puts a changed account in its place in the list. */
export function showUser(changed: User): void {
  queryClient.setQueryData(usersQuery.queryKey, (users) =>
    users?.map((user) => (user.id === changed.id ? changed : user)),
  );
  // Its tokens may rest or work again.
  void queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey });
}

/** Settings of the whole site. */
export const siteSettingsQuery = queryOptions({
  queryKey: ['site-settings'],
  queryFn: ({ signal }) => call(operations.getSiteSettings, {}, { signal }),
});

/** Shows settings that were saved, also in what the pages already know. */
export function showSiteSettings(saved: SiteSettings): void {
  queryClient.setQueryData(siteSettingsQuery.queryKey, saved);
  for (const key of ['home', 'job', 'finding']) void queryClient.invalidateQueries({ queryKey: [key] });
}
