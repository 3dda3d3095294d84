import type { JobList, JobRow } from '@svc/contracts';

/**
 * What a list shows that must not jump: the rows it was opened with, as they are now, and how many
 * newer jobs wait above them.
 */
export function settledRows(opened: JobList, now: JobList): { rows: JobRow[]; arrived: number } {
  const current = new Map(now.jobs.map((job) => [job.job_id, job] as const));
  return {
    rows: opened.jobs.map((job) => current.get(job.job_id) ?? job),
    arrived: Math.max(0, now.total - opened.total),
  };
}
