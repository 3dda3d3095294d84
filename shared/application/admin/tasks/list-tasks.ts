import type { operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { shownName, toJobRow } from '../../jobs/job-row.ts';
import type { JobView } from '../../jobs/job-views.ts';
import type { Ports } from '../../ports/ports.ts';
import type { QueuedPart, QueuedTask } from '../../ports/queued-tasks.ts';
import type { PeriodicRun } from '../../work/periodic-runs.ts';
import { isStale } from '../../work/request-background-task.ts';
import { toBackgroundTaskRow } from './background-task-row.ts';

type Tasks = OutputOf<typeof operations.listTasks>;
type ListPorts = Pick<
  Ports,
  'backgroundTasks' | 'clock' | 'deployment' | 'jobViews' | 'periodicRuns' | 'queuedTasks' | 'schedules'
>;

/** How many of each are shown at most (resolved-platform 16.2). */
const most = { activeJobs: 100, recentJobs: 10, activeTasks: 50, recentTasks: 50, queued: 20 };

/** What is worked on, what was, what waits, and what is done again and again. */
export async function listTasks(ports: ListPorts, actor: Actor): Promise<Tasks> {
  const { backgroundTasks, clock, deployment, jobViews, periodicRuns, queuedTasks, schedules } = ports;
  const now = clock.now();
  const [activeJobs, recentJobs, inFlight, ended, { waiting, delayed }, runs] = await Promise.all([
    jobViews.active(actor, most.activeJobs),
    jobViews.lastEnded(actor, most.recentJobs),
    backgroundTasks.inFlight(),
    backgroundTasks.ended(most.recentTasks),
    queuedTasks.list(most.queued),
    periodicRuns.latest(),
  ]);
  const active = inFlight.slice(0, most.activeTasks);
  const names = await namesOf(ports, actor, [...waiting.entries, ...delayed.entries]);
  const lastRuns = new Map(runs.map((run) => [run.kind, run]));
  return {
    active_jobs: activeJobs.map((view) => toJobRow(view, actor)),
    recent_jobs: recentJobs.map((view) => toJobRow(view, actor)),
    active_tasks: active.map(toBackgroundTaskRow),
    recent_tasks: ended.map(toBackgroundTaskRow),
    queue: presentPart(waiting, names),
    delayed: presentPart(delayed, names),
    scheduled: schedules.after(now).map(({ kind, label, nextRun }) => ({
      key: kind,
      label,
      next_run: nextRun.toISOString(),
      last: presentRun(lastRuns.get(kind)),
    })),
    stale_ids: active.filter((task) => isStale(task, now, deployment)).map(({ id }) => id),
  };
}

/** Names of the jobs whose analyses wait, as far as the viewer may know of them. */
async function namesOf(
  { jobViews }: ListPorts,
  actor: Actor,
  entries: readonly QueuedTask[],
): Promise<ReadonlyMap<number, JobView>> {
  const ids = entries.flatMap(({ task }) => (task.kind === 'run_analysis' ? [task.jobId] : []));
  const views = ids.length === 0 ? [] : await jobViews.some(actor, ids);
  return new Map(views.map((view) => [view.job.id, view]));
}

function presentPart({ size, isMore, entries }: QueuedPart, views: ReadonlyMap<number, JobView>): Tasks['queue'] {
  return {
    size,
    is_more: isMore,
    entries: entries.map(({ key, task, lane, attempts, queuedAt, dueAt }) => {
      const view = task.kind === 'run_analysis' ? views.get(task.jobId) : undefined;
      return {
        queue_id: key,
        kind: task.kind,
        lane,
        attempts,
        target_id: task.kind === 'run_analysis' ? task.jobId : 'targetId' in task ? task.targetId : null,
        name: view === undefined ? null : shownName(view),
        queued_at: queuedAt?.toISOString() ?? null,
        due_at: dueAt?.toISOString() ?? null,
      };
    }),
  };
}

function presentRun(run: PeriodicRun | undefined): Tasks['scheduled'][number]['last'] {
  if (run === undefined) return null;
  const { at, durationMs, outcome, detail } = run;
  return { ts: at.toISOString(), duration_ms: durationMs, outcome, detail };
}
