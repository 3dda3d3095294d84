/** Jobs that one request takes. */
export const mostJobs = { tags: 500, deletions: 100, reruns: 50, batch: 500 } as const;
