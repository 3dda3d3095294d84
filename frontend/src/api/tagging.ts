import { call, operations, type JobList, type JobRow, type Tag } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { invalidate, queryClient } from './query-client.ts';
import { queryKey } from './query-key.ts';

/** A tag that jobs get or lose; each of them does, so that the opposite change undoes this one. */
export interface TagChange {
  readonly tag: Tag;
  readonly jobs: readonly JobRow[];
  readonly isAdded: boolean;
}

/** The change that a choice of this tag makes: jobs without it get it, and when there are none all lose it. */
export function tagChange(tag: Tag, jobs: readonly JobRow[]): TagChange {
  const without = jobs.filter((job) => !hasTag(job, tag));
  return { tag, jobs: without.length > 0 ? without : jobs, isAdded: without.length > 0 };
}

/** The job after a change that it is part of. */
export function changedJob(job: JobRow, { tag, isAdded }: TagChange): JobRow {
  const others = job.tags.filter((other) => other.tag !== tag.tag);
  return { ...job, tags: isAdded ? [...others, tag] : others };
}

export function hasTag({ tags }: { readonly tags: readonly Tag[] }, { tag }: Tag): boolean {
  return tags.some((other) => other.tag === tag);
}

/** Changes tags at once on the page, then in the service; a refusal takes the change back. */
export function useTagging(patch: (change: (job: JobRow) => JobRow) => void) {
  const show = (change: TagChange) => {
    const ids = new Set(change.jobs.map(({ job_id: id }) => id));
    const changed = (job: JobRow) => (ids.has(job.job_id) ? changedJob(job, change) : job);
    queryClient.setQueriesData<JobList>(
      { queryKey: queryKey(operations.listJobs) },
      (list) => list && { ...list, jobs: list.jobs.map(changed) },
    );
    patch(changed);
  };
  return useMutation({
    mutationFn: async ({ tag: { tag, color }, jobs, isAdded }: TagChange) => {
      const ids = jobs.map(({ job_id: id }) => id);
      return isAdded
        ? call(operations.tagJobs, { job_ids: ids, tag: [tag], color: [color] })
        : call(operations.untagJobs, { job_ids: ids, tag: [tag] });
    },
    onMutate: async (change) => {
      // An answer that is on its way knows nothing of the change yet.
      await queryClient.cancelQueries({ queryKey: queryKey(operations.listJobs) });
      show(change);
    },
    onError: (_, change) => show({ ...change, isAdded: !change.isAdded }),
    onSettled: () => invalidate(queryKey(operations.listJobs), queryKey(operations.suggestTags)),
  });
}
