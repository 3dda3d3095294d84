import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { type Actor, AppError, canView, notFound } from '@svc/domain';
import { planSearch } from '../jobs/plan-search.ts';
import type { Ports } from '../ports/ports.ts';
import { refuseInDemoMode } from './admit-upload.ts';
import { resubmitFile } from './resubmit-job.ts';

type Answer = OutputOf<typeof operations.rerunJobs>;
type Rerun = Answer['jobs'][number];
type RerunPorts = Parameters<typeof resubmitFile>[0] & Pick<Ports, 'jobLists' | 'jobs' | 'settings'>;

/** Most analyses that a search can have repeated at once. */
const rerunLimit = 200;

/**
 * Analyses the files of jobs again by the same workflows, with the rules that are in force now; each as a
 * new job. What cannot be is said with its job, and keeps no other from its turn; a file that several of
 * the jobs are on is analysed once for each workflow. Of a search, the jobs on files that the caller has
 * submitted are taken, all for administrators; a dry run only counts them.
 */
export async function rerunJobs(
  ports: RerunPorts,
  actor: Actor,
  { job_ids: ids, q, tags, dry_run: isDry }: InputOf<typeof operations.rerunJobs>,
): Promise<Answer> {
  await refuseInDemoMode(ports);
  const now = ports.clock.now();
  if (ids) {
    const asked = [...new Set(ids)];
    if (!isDry) return told(asked.length, await rerunAll(ports, actor, asked));
    const named = { filters: [{ negated: false, condition: { key: 'id', values: asked } as const }], now };
    const { analyses } = await ports.jobLists.planRerun(actor, named, rerunLimit);
    return { matched: asked.length, analyses, limit: rerunLimit, jobs: [] };
  }
  const { search } = planSearch(actor, { q, tags }, now);
  const { matched, analyses, jobIds } = await ports.jobLists.planRerun(actor, search, rerunLimit);
  if (isDry) return { matched, analyses, limit: rerunLimit, jobs: [] };
  if (analyses > rerunLimit) {
    const text = `The search has ${analyses} analyses to repeat; narrow it to at most ${rerunLimit}, by after: say`;
    throw new AppError('too_many', text);
  }
  return told(matched, await rerunAll(ports, actor, jobIds));
}

function told(matched: number, jobs: Rerun[]): Answer {
  const begun = new Set(jobs.flatMap(({ new_job_id: id }) => id ?? []));
  return { matched, analyses: begun.size, limit: rerunLimit, jobs };
}

/** What the service stands on is away, and is for the jobs that follow, too. */
const outages: ReadonlySet<string> = new Set(['unavailable', 'queue_unreachable']);

async function rerunAll(ports: RerunPorts, actor: Actor, ids: readonly number[]): Promise<Rerun[]> {
  const done = new Map<string, Rerun>();
  const jobs: Rerun[] = [];
  let outage: AppError | null = null;
  for (const id of ids) {
    try {
      if (outage) throw outage;
      const record = await ports.jobs.get(id);
      if (!record || !canView(record.job, actor)) throw notFound('job');
      const { workflowId } = record.job;
      const key = `${record.file.id}/${workflowId}`;
      const known = done.get(key);
      const again = known ?? (await rerun(ports, actor, id, { file: record.file, workflowId }));
      done.set(key, again);
      jobs.push({ ...again, job_id: id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (outages.has(error.code)) outage = error;
      jobs.push({ job_id: id, new_job_id: null, job_url: null, error: { code: error.code, detail: error.message } });
    }
  }
  // What was begun is told, or a repeat would begin it twice.
  if (outage && jobs.every(({ new_job_id: newId }) => newId === null)) throw outage;
  return jobs;
}

async function rerun(
  ports: RerunPorts,
  actor: Actor,
  id: number,
  again: Parameters<typeof resubmitFile>[2],
): Promise<Rerun> {
  const { job_id: newId, job_url: url } = await resubmitFile(ports, actor, again);
  return { job_id: id, new_job_id: newId, job_url: url, error: null };
}
