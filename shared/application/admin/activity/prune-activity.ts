import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../../ports/ports.ts';

const dayMs = 86_400_000;

/** Removes what the activity log has kept for longer than it is to (service 8.3); how many rows. */
export async function removeOldActivity(ports: Pick<Ports, 'activityLog' | 'clock' | 'deployment'>): Promise<number> {
  const days = ports.deployment.retentionDays.activity;
  return days === 0 ? 0 : removeActivity(ports, days);
}

/** The same at once, of what is older than so many days: whole days in UTC, of which the ends of their chains stay. */
export async function pruneActivity(
  ports: Pick<Ports, 'activityLog' | 'clock'>,
  { days }: InputOf<typeof operations.pruneActivity>,
): Promise<OutputOf<typeof operations.pruneActivity>> {
  return { removed: await removeActivity(ports, days) };
}

function removeActivity({ activityLog, clock }: Pick<Ports, 'activityLog' | 'clock'>, days: number): Promise<number> {
  const first = new Date(clock.now().getTime() - days * dayMs).toISOString().slice(0, 10);
  return activityLog.prune(first);
}
