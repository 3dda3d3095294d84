import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../../ports/ports.ts';

const dayMs = 86_400_000;

/** Removes rows older than `ACTIVITY_RETENTION_DAYS` (service 8.3); returns how many. */
export async function removeOldActivity(ports: Pick<Ports, 'activityLog' | 'clock' | 'deployment'>): Promise<number> {
  const days = ports.deployment.retentionDays.activity;
  return days === 0 ? 0 : removeActivity(ports, days);
}

/** Removes rows older than so many days at once: whole days in UTC. The ends of their chains stay. */
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
