import type { Dashboard, Readiness } from '@svc/contracts';
import { backfillKinds } from '@svc/contracts/tasks.ts';
import type { Ports } from '../../ports/ports.ts';
import { activityOverview } from '../activity/list-activity.ts';
import { toBackgroundTaskRow } from '../tasks/background-task-row.ts';

const mostActivity = 8;
/** What an administrator looks at first (resolved-platform 16.1). */
export async function getDashboard(
  ports: Pick<Ports, 'activityLog' | 'clock' | 'figures' | 'siteOverview'>,
  readiness: Promise<Readiness>,
): Promise<Dashboard> {
  const now = ports.clock.now();
  const [counts, jobs, activity, runs, ready] = await Promise.all([
    ports.siteOverview.counts(now),
    ports.figures.jobsByStatus(),
    activityOverview(ports, mostActivity),
    ports.siteOverview.lastRuns(backfillKinds),
    readiness,
  ]);
  return {
    overview: {
      jobs: {
        total: [...jobs.values()].reduce((sum, count) => sum + count, 0),
        running: jobs.get('running') ?? 0,
        pending: jobs.get('pending') ?? 0,
        completed: jobs.get('completed') ?? 0,
      },
      active_background: counts.activeBackground,
      active_ai_runs: counts.activeAiRuns,
      recent_activity: activity.events,
    },
    counts: {
      users: counts.users,
      admins: counts.admins,
      workflows: counts.workflows,
      ai_providers: counts.aiProviders,
      enrichment: counts.enrichment,
      active_tokens: counts.activeTokens,
      activity_last_hour: activity.lastHour,
    },
    readiness: ready,
    maintenance: backfillKinds.map((kind) => {
      const last = runs.find((run) => run.kind === kind);
      return { kind, last: last === undefined ? null : toBackgroundTaskRow(last) };
    }),
  };
}
