import { call, operations, type JobRow, type OutputOf } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { counted } from '../../ui/format.ts';

type Rerun = OutputOf<typeof operations.rerunJobs>['jobs'][number];

/** Analyses the files of jobs again with the rules in force now; each becomes a new job. */
export function useRerun() {
  return useMutation({
    mutationFn: (jobs: readonly JobRow[]) => call(operations.rerunJobs, { job_ids: jobs.map(({ job_id: id }) => id) }),
    onSuccess: () => invalidate(queryKey(operations.listJobs)),
  });
}

/** What became of it in a sentence; of several reasons against it, the first. */
export function rerunOutcome(jobs: readonly Rerun[]): { text: string; isBad: boolean } {
  const queued = new Set(jobs.flatMap(({ new_job_id: id }) => id ?? [])).size;
  const refused = jobs.filter(({ error }) => error !== null);
  const said = `${counted(queued, 'job')} queued again`;
  const reason = refused[0]?.error?.detail;
  if (reason === undefined) return { text: `${said}.`, isBad: false };
  return { text: `${said}; ${counted(refused.length, 'job')} not: ${reason}`, isBad: true };
}
