import type { Ports } from '../ports/ports.ts';

const batchSize = 200;
/** What is left after this waits for the next run. */
const mostMs = 240_000;

/** Makes the words that searches find jobs by, for results of before there were any; for how many tasks. */
export async function makeHeldWords({ clock, derivations }: Pick<Ports, 'clock' | 'derivations'>): Promise<number> {
  const startedAt = clock.now().getTime();
  let done = 0;
  while (clock.now().getTime() - startedAt < mostMs) {
    const made = await derivations.makeWords(batchSize);
    done += made;
    if (made < batchSize) break;
  }
  return done;
}
