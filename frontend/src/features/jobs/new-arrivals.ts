import type { JobList, JobRow } from '@svc/contracts';

/**
 * What a list shows that must not jump: the rows it was opened with, as they are now, and how many
 * newer jobs wait above them. Only the first page has an above.
 */
export function settledRows(opened: JobList, now: JobList): { rows: JobRow[]; arrived: number } {
  const current = new Map(now.jobs.map((job) => [job.job_id, job] as const));
  const known = new Set(opened.jobs.map(({ job_id: id }) => id));
  const above = now.jobs.findIndex(({ job_id: id }) => known.has(id));
  return {
    rows: opened.jobs.map((job) => current.get(job.job_id) ?? job),
    // A page full of newer ones does not tell how many lie behind it; the totals do.
    arrived: opened.page > 1 ? 0 : above >= 0 ? above : Math.max(now.jobs.length, now.total - opened.total),
  };
}
