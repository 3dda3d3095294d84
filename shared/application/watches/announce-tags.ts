import { summaryOf, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { NewTagLink } from '../ports/tag-repository.ts';
import { nameOf } from './name-of.ts';

export type AnnouncePorts = Pick<Ports, 'accounts' | 'clock' | 'watchEvents'>;

/** Tells watchers of the tags that their jobs were given and did not carry before: one event a job. */
export async function announceTags(ports: AnnouncePorts, actor: Actor, links: readonly NewTagLink[]): Promise<void> {
  if (links.length === 0) return;
  const name = await nameOf(ports, actor);
  const ofJob = new Map<number, NewTagLink[]>();
  for (const link of links) ofJob.set(link.jobId, [...(ofJob.get(link.jobId) ?? []), link]);
  const events = [...ofJob].map(([jobId, given]) => {
    const names = given.map((link) => link.name).sort();
    return {
      jobId,
      refId: Math.min(...given.map(({ id }) => id)),
      summary: summaryOf(`${name} added ${names.join(', ')}`),
    };
  });
  const by = actor.kind === 'account' ? actor.userId : null;
  await ports.watchEvents.raise(events, { kind: 'tag', by, at: ports.clock.now() });
}
