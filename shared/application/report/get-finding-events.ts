import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { toMatchedEvent } from './shown/findings.ts';

/** Sample events of a finding, earliest first. */
export async function getFindingEvents(
  { findings, settings }: Pick<Ports, 'findings' | 'settings'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getFindingEvents>,
): Promise<OutputOf<typeof operations.getFindingEvents>> {
  if (!(await findings.get(actor, id))) throw notFound('finding');
  const [events, { maxFindingDetails: max }] = await Promise.all([findings.events(id), settings.current()]);
  return {
    events: events.slice(0, max).map(toMatchedEvent),
    max,
  };
}
