interface Job {
  readonly job_id: number;
}

/** Chosen jobs by id, as they were when chosen, and the id that a range starts from. */
export interface Selection<J extends Job> {
  readonly jobs: ReadonlyMap<number, J>;
  readonly anchor: number | null;
}

export const nothing: Selection<never> = { jobs: new Map<number, never>(), anchor: null };

/** With one job more, or without it. */
export function toggled<J extends Job>({ jobs }: Selection<J>, job: J): Selection<J> {
  return withAll({ jobs, anchor: job.job_id }, [job], !jobs.has(job.job_id));
}

/** With every row from the anchor to this one; without an anchor on the page, with this one alone. */
export function reaching<J extends Job>(selection: Selection<J>, job: J, rows: readonly J[]): Selection<J> {
  const place = (id: number | null) => rows.findIndex(({ job_id: other }) => other === id);
  const [from, to] = [place(selection.anchor), place(job.job_id)];
  if (from < 0) return withAll({ ...selection, anchor: job.job_id }, [job], true);
  return withAll(selection, rows.slice(Math.min(from, to), Math.max(from, to) + 1), true);
}

/** With all of these, or without them. */
export function withAll<J extends Job>(selection: Selection<J>, some: readonly J[], isChosen: boolean): Selection<J> {
  const jobs = new Map<number, J>(selection.jobs);
  for (const job of some) {
    if (isChosen) jobs.set(job.job_id, job);
    else jobs.delete(job.job_id);
  }
  return { jobs, anchor: selection.anchor };
}

/** With its jobs as they are after a change. */
export function changedSelection<J extends Job>({ jobs, anchor }: Selection<J>, change: (job: J) => J): Selection<J> {
  return { jobs: new Map([...jobs].map(([id, job]) => [id, change(job)] as const)), anchor };
}
