import type { Ports } from '../ports/ports.ts';

const keptMs = 180 * 86_400_000;

/** Forgets who deleted which comment after 180 days (service 2.8). Returns how many. */
export function removeTombstones({ clock, comments }: Pick<Ports, 'clock' | 'comments'>): Promise<number> {
  return comments.removeTombstones(new Date(clock.now().getTime() - keptMs));
}
