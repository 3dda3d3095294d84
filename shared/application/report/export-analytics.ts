import type { Analytics, AnalyticsSection, InputOf, operations } from '@svc/contracts';
import { AppError } from '@svc/domain';
import { presentAnalytics } from './shown/analytics.ts';
import type { Ports } from '../ports/ports.ts';
import { panelContents } from '../system/panels.ts';
import { knownJob } from '../jobs/visible-job.ts';

const keysOf: Readonly<Record<AnalyticsSection, readonly (keyof Analytics)[]>> = {
  mitre: panelContents.mitre_heatmap,
  timeline: panelContents.event_timeline,
  entities: panelContents.entities,
  threats: panelContents.threat_detection,
};

/** The sections that are asked for, whatever the site shows; and how much was looked at. */
export async function exportAnalytics(
  { derivations, findings, jobs }: Pick<Ports, 'derivations' | 'findings' | 'jobs'>,
  { id, sections }: InputOf<typeof operations.exportAnalytics>,
): Promise<Analytics> {
  await knownJob({ jobs }, id);
  const analytics = await derivations.analytics(id);
  if (!analytics) throw new AppError('not_found', 'This job has no analytics');
  const whole = presentAnalytics(analytics, await findings.tagCounts(id));
  const wanted = new Set<string>(sections.flatMap((section) => keysOf[section]));
  const parts = Object.entries(whole).filter(([key]) => wanted.has(key));
  const { events_seen, events_capped } = whole;
  return { ...Object.fromEntries(parts), events_seen, events_capped };
}
