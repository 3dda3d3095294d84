import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, techniquesOf, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { requirePanel } from '../settings/panels.ts';
import { toJobRow } from './job-row.ts';

/** A job's techniques for the ATT&CK Navigator, scored by matched events (resolved-platform 8.5). */
export async function getMitreLayer(
  { findings, jobViews, settings }: Pick<Ports, 'findings' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getMitreLayer>,
): Promise<OutputOf<typeof operations.getMitreLayer>> {
  const [view, site] = await Promise.all([jobViews.get(actor, id), settings.current()]);
  if (!view) throw notFound('job');
  requirePanel(site, 'mitre_heatmap');
  const scores = new Map<string, number>();
  for (const { tags, count } of await findings.tagCounts(id)) {
    for (const technique of new Set(techniquesOf(tags))) {
      if (/^T\d{4}(\.\d{3})?$/.test(technique)) scores.set(technique, (scores.get(technique) ?? 0) + count);
    }
  }
  return {
    name: `Job ${id}: ${toJobRow(view, actor).filename}`,
    versions: { attack: '16', navigator: '5.0', layer: '4.5' },
    domain: 'enterprise-attack',
    description: `Techniques of the Sigma rules that matched in job ${id}, scored by matched events`,
    sorting: 3,
    techniques: [...scores]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([techniqueID, score]) => ({
        techniqueID,
        score,
        comment: `${score} ${score === 1 ? 'event' : 'events'}`,
        enabled: true,
      })),
    gradient: {
      colors: ['#fde68a', '#f59e0b', '#ef4444', '#7f1d1d'],
      minValue: 0,
      maxValue: Math.max(1, ...scores.values()),
    },
  };
}
