import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { mitreLayer } from './shown/mitre-layer.ts';
import { requirePanel } from '../system/panels.ts';
import { toJobRow } from '../jobs/job-row.ts';
import { visibleJobView } from '../jobs/visible-job.ts';

/** A job's techniques for the ATT&CK Navigator, scored by matched events (resolved-platform 8.5). */
export async function getMitreLayer(
  { findings, jobViews, settings }: Pick<Ports, 'findings' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getMitreLayer>,
): Promise<OutputOf<typeof operations.getMitreLayer>> {
  const [view, site] = await Promise.all([visibleJobView({ jobViews }, actor, id), settings.current()]);
  requirePanel(site, 'mitre_heatmap');
  const name = `Job ${id}: ${toJobRow(view, actor).filename}`;
  const description = `Techniques of the Sigma rules that matched in job ${id}, scored by matched events`;
  return mitreLayer({ name, description }, await findings.tagCounts(id));
}
