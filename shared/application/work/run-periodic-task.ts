import { removeOldActivity } from '../admin/activity/prune-activity.ts';
import { sweepStore, type SweepPorts } from '../admin/storage/sweep-store.ts';
import type { PeriodicKind } from '@svc/contracts/tasks.ts';
import { refreshDueLists, type RefreshListPorts } from '../alerts/refresh-rule-lists.ts';
import { queueDueWebhooks } from '../alerts/queue-due-webhooks.ts';
import { removeWebhookDeliveries } from '../alerts/remove-webhook-deliveries.ts';
import { removeExpiredSessions } from '../auth/end-sessions.ts';
import { removeKnownNetworks } from '../auth/guesses.ts';
import { recoverStuckJobs, type RecoverPorts } from '../analysis/recover-stuck-jobs.ts';
import { drainHappenings } from '../happenings/drain-happenings.ts';
import { removeHappenings } from '../happenings/remove-happenings.ts';
import { removeOldEnrichment } from '../intel/enrichment/remove-old-results.ts';
import { storeWaitingIntel } from '../intel/store-intel.ts';
import { removeTombstones } from '../discussions/remove-tombstones.ts';
import type { PeriodicRun } from './periodic-runs.ts';
import { removeOldOutputs, removeOldUploads, type AgePorts } from './remove-by-age.ts';
import { recoverBackgroundTasks, removeEndedTasks, type BackgroundPorts } from './run-background-task.ts';
import { removeDroppedObjects } from './remove-dropped-objects.ts';
import { applyDueSuppressions } from '../report/mark-suppressed.ts';
import { withLogFields } from '../ports/log.ts';
import type { Ports } from '../ports/ports.ts';
import { refreshRulePacks, type RefreshPorts } from '../rules/refresh-rule-packs.ts';
import { removeExpiredUploads } from '../submissions/remove-expired-uploads.ts';
import { removeRevokedTokens } from '../auth/remove-revoked-tokens.ts';
import { backfillDigests } from './backfill-digests.ts';
import { makeHeldWords } from './make-held-words.ts';
import { moveSampleEvents, type MovePorts } from './move-sample-events.ts';

export type MaintenancePorts = AgePorts &
  BackgroundPorts &
  MovePorts &
  RecoverPorts &
  RefreshListPorts &
  RefreshPorts &
  SweepPorts &
  Pick<
    Ports,
    | 'activityLog'
    | 'apiTokens'
    | 'comments'
    | 'files'
    | 'happenings'
    | 'knownNetworks'
    | 'objects'
    | 'periodicRuns'
    | 'sessionStore'
    | 'tasks'
    | 'uploads'
    | 'webhookDeliveries'
  >;

/**
 * What is done again and again (resolved-platform 16.2); `config/schedules.ts` says when. Each may run twice, or at
 * the same time in several processes, and returns how many things it changed.
 */
const periodicTasks: Readonly<Record<PeriodicKind, (ports: MaintenancePorts) => Promise<number>>> = {
  'job-recovery': async (ports) => (await recoverStuckJobs(ports, 'sweep')) + (await recoverBackgroundTasks(ports)),
  'task-history': removeEndedTasks,
  'dropped-objects': removeDroppedObjects,
  'stored-objects': sweepStore,
  'expired-uploads': removeExpiredUploads,
  'old-outputs': removeOldOutputs,
  'old-uploads': removeOldUploads,
  'rule-packs': refreshRulePacks,
  'rule-lists': refreshDueLists,
  happenings: async (ports) =>
    (await drainHappenings(ports)) + (await queueDueWebhooks(ports)) + (await applyDueSuppressions(ports)),
  'happening-prune': removeHappenings,
  'webhook-prune': removeWebhookDeliveries,
  'activity-prune': removeOldActivity,
  'enrichment-prune': removeOldEnrichment,
  'comment-prune': removeTombstones,
  'similarity-digests': backfillDigests,
  'held-words': makeHeldWords,
  'sample-events': moveSampleEvents,
  intel: storeWaitingIntel,
  'session-prune': async (ports) => (await removeExpiredSessions(ports)) + (await removeKnownNetworks(ports)),
  'token-prune': removeRevokedTokens,
};

/** Runs a task, notes and logs how it went; rejects with what it rejects with. */
export async function runPeriodicTask(ports: MaintenancePorts, key: PeriodicKind): Promise<void> {
  const { clock, log } = ports;
  const at = clock.now();
  const startedAt = performance.now();
  const duration = (): number => Math.round(performance.now() - startedAt);
  await withLogFields({ task: key }, async () => {
    try {
      const changed = await periodicTasks[key](ports);
      const durationMs = duration();
      log.info('periodic task', { outcome: 'completed', duration_ms: durationMs, changed });
      const detail = changed === 0 ? 'nothing to do' : `${changed} done`;
      await note(ports, { kind: key, at, durationMs, outcome: 'completed', detail });
    } catch (error) {
      const durationMs = duration();
      log.error('periodic task', { outcome: 'failed', duration_ms: durationMs, error });
      const detail = error instanceof Error ? error.message : String(error);
      await note(ports, { kind: key, at, durationMs, outcome: 'failed', detail });
      throw error;
    }
  });
}

/** What was done stays done where this cannot be noted. */
async function note({ log, periodicRuns }: MaintenancePorts, run: PeriodicRun): Promise<void> {
  await periodicRuns.note(run).catch((error: unknown) => log.warn('a periodic run could not be noted', { error }));
}
