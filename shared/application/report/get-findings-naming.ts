import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { findingsNaming } from './shown/findings-naming.ts';
import { toMatchedEvent } from './shown/findings.ts';

/** The findings of a job whose sample events name a value. */
export async function getFindingsNaming(
  { findings, jobViews, settings }: Pick<Ports, 'findings' | 'jobViews' | 'settings'>,
  actor: Actor,
  { id, value }: InputOf<typeof operations.getFindingsNaming>,
): Promise<OutputOf<typeof operations.getFindingsNaming>> {
  await visibleJob({ jobViews }, actor, id);
  const [found, { maxFindingDetails: max }] = await Promise.all([
    findings.withEventText(id, value),
    settings.current(),
  ]);
  const shown = found.map(({ id: finding, events }) => ({
    id: finding,
    events: events.slice(0, max).map(toMatchedEvent),
  }));
  return { findings: findingsNaming(shown, value) };
}
