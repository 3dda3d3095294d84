import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { isTerminal, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentAnalytics } from './shown/analytics.ts';
import { shownAnalytics } from '../system/panels.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** What was derived from the matched events of a job (resolved-platform 5). */
export async function getAnalytics(
  { derivations, findings, jobViews, settings }: Pick<Ports, 'derivations' | 'findings' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getAnalytics>,
): Promise<OutputOf<typeof operations.getAnalytics>> {
  const job = await visibleJob({ jobViews }, actor, id);
  const [analytics, site] = await Promise.all([derivations.analytics(id), settings.current()]);
  if (analytics) {
    const whole = presentAnalytics(analytics, await findings.tagCounts(id));
    return { state: 'ready', analytics: shownAnalytics(whole, site) };
  }
  if (!isTerminal(job.status)) return { state: 'pending', analytics: null };
  return { state: job.status === 'failed' ? 'failed' : 'skipped', analytics: null };
}
