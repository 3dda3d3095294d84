import type { Analytics } from '@svc/contracts';

/** Matched events by time, in steps of equal length. */
export interface HourSteps {
  /** First moment of the first step, in milliseconds. */
  readonly from: number;
  readonly stepHours: number;
  readonly counts: readonly number[];
}

const hourMs = 3_600_000;
const mostSteps = 120;

/** The hours of the matched events on one axis, those without a match among them; null without any. */
export function hourSteps(hours: NonNullable<Analytics['timeline']>): HourSteps | null {
  const starts = hours.map(({ hour }) => Date.parse(`${hour}:00:00Z`));
  if (starts.length === 0) return null;
  const from = starts.reduce((least, start) => Math.min(least, start));
  const to = starts.reduce((most, start) => Math.max(most, start));
  const span = Math.round((to - from) / hourMs) + 1;
  const stepHours = Math.ceil(span / mostSteps);
  const counts = Array.from({ length: Math.ceil(span / stepHours) }, () => 0);
  for (const [place, { count }] of hours.entries()) {
    const step = Math.floor((starts[place]! - from) / (stepHours * hourMs));
    counts[step] = counts[step]! + count;
  }
  return { from, stepHours, counts };
}
