import { call, operations, type RequestOf, type SettingsForm, type User } from '@svc/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { invalidate, queryClient } from './query-client.ts';
import { ofJob, operationQuery, queryKey } from './query-key.ts';

/** The dashboard. */
export const dashboardQuery = queryOptions({
  ...operationQuery(operations.getDashboard, {}),
  refetchOnMount: 'always',
  refetchInterval: 30_000,
});

/** Has the service look anew whether it is ready, and shows what it found. */
export async function runReadiness(): Promise<void> {
  const readiness = await call(operations.runReadiness, {});
  queryClient.setQueryData(dashboardQuery.queryKey, (known) => known && { ...known, readiness });
}

/** All accounts, by address. */
export const usersQuery = queryOptions({
  queryKey: queryKey(operations.listUsers),
  queryFn: async ({ signal }) => (await call(operations.listUsers, {}, { signal })).users,
});

/** All API tokens, newest first, and whether a proxy's basic authentication keeps them out. */
export const apiTokensQuery = queryOptions(operationQuery(operations.listApiTokens, {}));

/** Puts a changed account in its place in the list. */
export function showUser(changed: User): void {
  queryClient.setQueryData(usersQuery.queryKey, (users) =>
    users?.map((user) => (user.id === changed.id ? changed : user)),
  );
  // Its tokens may rest or work again.
  void invalidate(queryKey(operations.listApiTokens));
}

/** Rows of the activity log as they are narrowed. */
export function activityQuery(asked: RequestOf<typeof operations.listActivity>) {
  return queryOptions({
    ...operationQuery(operations.listActivity, asked),
    // Whoever comes back has just done something.
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}

/** Settings of the whole site. */
export const siteSettingsQuery = queryOptions(operationQuery(operations.getSiteSettings, {}));

/** Shows settings that were saved, also in what the pages already know. */
export function showSiteSettings(saved: SettingsForm): void {
  queryClient.setQueryData(siteSettingsQuery.queryKey, saved);
  void invalidate(queryKey(operations.getHome), queryKey(operations.getSession));
  void queryClient.invalidateQueries(ofJob());
}

/** What is worked on, was and waits; asked for more often while anything is. */
export const tasksQuery = queryOptions({
  ...operationQuery(operations.listTasks, {}),
  refetchOnMount: 'always',
  refetchInterval: ({ state: { data } }) =>
    data !== undefined && data.active_jobs.length + data.active_tasks.length + data.queue.size > 0 ? 2000 : 15_000,
});

/** What takes room; asked for again until all objects have been counted. */
export const storageQuery = queryOptions({
  ...operationQuery(operations.getStorage, {}),
  refetchInterval: ({ state }) => (state.data?.walk.ended_at === null ? 1000 : false),
});

/** Has all objects counted again, and shows what was counted so far. */
export async function countStorage(): Promise<void> {
  const so = await call(operations.getStorage, { force: true });
  queryClient.setQueryData(storageQuery.queryKey, so);
}

/** Sizes of the tables, which take a look at each file of theirs. */
export const databaseSizesQuery = queryOptions(operationQuery(operations.getDatabaseSizes, {}));

/** Has a task begun or ended, and shows how the tasks stand then. */
export async function changeTasks(change: () => Promise<unknown>): Promise<void> {
  await change();
  await invalidate(queryKey(operations.listTasks));
}

/** Who analyses jobs; asked for often, as the page is looked at while hosts are drained. */
export const fleetQuery = queryOptions({
  ...operationQuery(operations.listWorkers, {}),
  refetchInterval: 5000,
});

/** Changes what workers do, and shows how they stand then. */
export async function changeFleet(change: () => Promise<unknown>): Promise<void> {
  await change();
  await invalidate(queryKey(operations.listWorkers));
}
