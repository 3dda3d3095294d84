import type { Ports } from '../../ports/ports.ts';

const dayMs = 86_400_000;
const keptDays = 30;

/** Forgets answers that were not asked for again for 30 days (resolved-platform 16.2), and look-ups as old; how many. */
export async function removeOldEnrichment({
  clock,
  enrichmentResults,
  enrichmentRuns,
}: Pick<Ports, 'clock' | 'enrichmentResults' | 'enrichmentRuns'>): Promise<number> {
  const before = new Date(clock.now().getTime() - keptDays * dayMs);
  return (await enrichmentResults.removeFetched(before)) + (await enrichmentRuns.removeBegun(before));
}
