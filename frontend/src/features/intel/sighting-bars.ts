import type { OutputOf, operations } from '@svc/contracts';
import { severities } from '@svc/domain';
import { sentence } from '../../ui/format.ts';
import type { BarLooks } from '../../ui/time-bars/time-bars-chart.tsx';
import type { TimeBar } from '../../ui/time-bars/time-bars.ts';

type Sightings = OutputOf<typeof operations.getEntitySightings>;

/** What is the worst of a job of which no finding names it. */
const none = 'none';

/** A bar for each day or week in which jobs saw something. */
export function sightingBars({ step, buckets }: Pick<Sightings, 'step' | 'buckets'>): TimeBar[] {
  return buckets.map(({ from, to, jobs, severities: parts }, nth) => ({
    from,
    to,
    label: step === 'day' ? dayOf(from) : `week of ${dayOf(from)}`,
    count: jobs,
    segments: parts.map(({ severity, jobs: count }) => ({ key: severity ?? none, count })),
    gap: nth === 0 ? 0 : Math.round((from - buckets[nth - 1]!.to - 1) / (to - from + 1)),
  }));
}

/** Of jobs, by the worst of their findings that name it. */
export const sightingLooks: BarLooks = {
  name: 'Jobs that saw it',
  unit: ['job', 'jobs'],
  partName: (key) => (key === none ? 'No finding names it:' : `${sentence(key)}:`),
  partColor: (key) => (severities.some((one) => one === key) ? `var(--${key}-fill)` : 'var(--line-strong)'),
  axisLabel: ({ from }) => dayOf(from),
};

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
