import type { Ports } from '../ports/ports.ts';

const keptMs = 7 * 86_400_000;

/** Forgets what happened more than 7 days ago and everybody has been told of; how many. */
export async function removeHappenings({ clock, happenings }: Pick<Ports, 'clock' | 'happenings'>): Promise<number> {
  const before = new Date(clock.now().getTime() - keptMs);
  for (let removed = 0; ;) {
    const some = await happenings.removeSettled(before);
    if (some === 0) return removed;
    removed += some;
  }
}
