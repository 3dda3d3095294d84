import { tagEvents, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { NewTagLink } from '../ports/tag-repository.ts';
import { nameOf } from './name-of.ts';

export type AnnouncePorts = Pick<Ports, 'accounts' | 'clock' | 'watchEvents'>;

/** Tells watchers of the tags that their jobs were given and did not carry before: one event a job. */
export async function announceTags(ports: AnnouncePorts, actor: Actor, links: readonly NewTagLink[]): Promise<void> {
  if (links.length === 0) return;
  const events = tagEvents(await nameOf(ports, actor), links);
  const by = actor.kind === 'account' ? actor.userId : null;
  await ports.watchEvents.raise(events, { kind: 'tag', by, at: ports.clock.now() });
}
