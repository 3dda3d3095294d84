/** What is of each job, in the order of the jobs. */
export function byJob<T extends { readonly jobId: number }>(items: readonly T[]): ReadonlyMap<number, readonly T[]> {
  const ofJob = new Map<number, T[]>();
  for (const item of items) ofJob.set(item.jobId, [...(ofJob.get(item.jobId) ?? []), item]);
  return ofJob;
}
