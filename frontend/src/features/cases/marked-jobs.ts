import type { CaseTimelineJob } from '@svc/contracts';
import type { MarkedJob } from '../../ui/timeline/lanes.ts';

/** Logs with a colour of their own; more could not be told apart. */
export const ownColors = 8;

/** The logs of a case, those with the most matches first, and the colours of their markers. */
export function markedJobs(jobs: readonly CaseTimelineJob[]): MarkedJob[] {
  return [...jobs]
    .sort((a, b) => b.matches - a.matches || a.id - b.id)
    .map(({ id, filename: name }, place) => ({
      id,
      name,
      color: place < ownColors ? `--log-${place + 1}` : '--log-other',
    }));
}
