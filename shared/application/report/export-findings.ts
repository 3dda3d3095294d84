import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { isTerminal, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { foundBy, toExportedFinding } from './shown/findings.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** All findings of a job with their sample events (resolved-platform 4). */
export async function exportFindings(
  { findings, jobViews, settings }: Pick<Ports, 'findings' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.exportFindings>,
): Promise<OutputOf<typeof operations.exportFindings>> {
  await visibleJob({ jobViews }, actor, id);
  const { maxFindingDetails: max } = await settings.current();
  const found = await findings.withEvents(id);
  const engines = foundBy(found);
  return found.map(({ events, ...finding }) =>
    toExportedFinding({ ...finding, events: events.slice(0, max), foundBy: engines.get(finding.id) ?? [] }),
  );
}

/** Version of the findings of an ended job as they are downloaded; null while the job goes on. */
export async function exportedVersion(
  { jobViews, settings }: Pick<Ports, 'jobViews' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.exportFindings>,
): Promise<string | null> {
  const [job, { maxFindingDetails }] = await Promise.all([visibleJob({ jobViews }, actor, id), settings.current()]);
  if (!isTerminal(job.status)) return null;
  return [id, job.createdAt.getTime(), job.finishedAt?.getTime(), maxFindingDetails].join(' ');
}
