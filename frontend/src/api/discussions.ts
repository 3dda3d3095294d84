import { call, operations, type CommentThread, type JobDetail } from '@svc/contracts';
import type { CommentTarget } from '@svc/domain';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { jobQuery } from './queries.ts';
import { invalidate, queryClient } from './query-client.ts';
import { queryKey } from './query-key.ts';

/** How often an open page asks what others have done; not at all while it is hidden. */
const calm = 30_000;

/** What people talk about. */
export interface Discussed {
  readonly target: CommentTarget;
  readonly id: number;
}

/** Comments on a thing, the newest page first; the pages after it lead back in time. */
export function commentsQuery({ target, id }: Discussed) {
  return infiniteQueryOptions({
    queryKey: queryKey(operations.listComments, { target, id }),
    queryFn: ({ pageParam, signal }) =>
      call(operations.listComments, { target, id, ...(pageParam > 0 && { before: pageParam }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => {
      const read = all.reduce((sum, { shown }) => sum + shown, 0);
      return read < last.total ? last.comments[0]?.id : undefined;
    },
    refetchInterval: calm,
  });
}

/** What answers with how many comments there are. */
const opened = { job: operations.getJob, case: operations.getCase, entity: operations.getEntity } as const;

/** Adds, changes or deletes a comment, and has everything that shows it look again. */
export async function changeComments({ target, id }: Discussed, change: () => Promise<CommentThread>): Promise<void> {
  await change();
  await invalidate(
    queryKey(operations.listComments, { target, id }),
    queryKey(opened[target], { id }),
    queryKey(operations.listWatchedJobs),
  );
}

/** Watches a job, or ends that; shown at once, and taken back when the service refuses. */
export async function toggleWatch(jobId: number): Promise<boolean> {
  const { queryKey: key } = jobQuery(jobId);
  await queryClient.cancelQueries({ queryKey: key });
  const show = (watching: (before: boolean) => boolean) =>
    queryClient.setQueryData(key, (job: JobDetail | undefined) => job && { ...job, watching: watching(job.watching) });
  show((before) => !before);
  try {
    const { watching } = await call(operations.watchJob, { id: jobId });
    show(() => watching);
    return watching;
  } catch (error) {
    show((before) => !before);
    throw error;
  } finally {
    void refreshBell();
  }
}

/** Jobs that the account watches, most unread first. */
export const watchedQuery = queryOptions({
  queryKey: queryKey(operations.listWatchedJobs),
  queryFn: async ({ signal }) => (await call(operations.listWatchedJobs, {}, { signal })).jobs,
});

/** How many notifications wait. */
export const unreadQuery = queryOptions({
  queryKey: queryKey(operations.countNotifications),
  queryFn: async ({ signal }) => (await call(operations.countNotifications, {}, { signal })).unread,
  refetchInterval: calm,
});

/** The newest notifications that wait. */
export const notificationsQuery = queryOptions({
  queryKey: queryKey(operations.listNotifications),
  queryFn: async ({ signal }) => (await call(operations.listNotifications, {}, { signal })).items,
  staleTime: 0,
});

/** Has the bell and the list of watched jobs look again. */
export async function refreshBell(): Promise<void> {
  await invalidate(
    queryKey(operations.countNotifications),
    queryKey(operations.listNotifications),
    queryKey(operations.listWatchedJobs),
  );
}
