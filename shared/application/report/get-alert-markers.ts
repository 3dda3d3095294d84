import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { alertMarkers } from './shown/alert-markers.ts';
import { requirePanel } from '../system/panels.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** All alerts of a job in columns, from which pages count what passes their filters (resolved-platform 8.4). */
export async function getAlertMarkers(
  { derivations, jobViews, settings }: Pick<Ports, 'derivations' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getAlertMarkers>,
): Promise<OutputOf<typeof operations.getAlertMarkers>> {
  const [, site] = await Promise.all([visibleJob({ jobViews }, actor, id), settings.current()]);
  requirePanel(site, 'alert_timeline');
  return alertMarkers(await derivations.alerts(id));
}
