import type { TimeWindow } from '../time-bars/time-bars.ts';

export type { TimeWindow };

const shortest = 1000;

/** The same length further by a share of it, and not beyond the bounds. */
export function panned({ from, to }: TimeWindow, by: number, bounds: TimeWindow): TimeWindow {
  const shift = (to - from) * by;
  const within = Math.min(Math.max(shift, bounds.from - from), bounds.to - to);
  return { from: Math.round(from + within), to: Math.round(to + within) };
}

/** Longer or shorter by a factor around a moment, within the bounds. */
export function zoomed({ from, to }: TimeWindow, factor: number, around: number, bounds: TimeWindow): TimeWindow {
  const length = Math.max(shortest, (to - from) * factor);
  const share = (around - from) / (to - from);
  const start = Math.max(bounds.from, around - length * share);
  const end = Math.min(bounds.to, start + length);
  return { from: Math.round(Math.min(start, end - shortest)), to: Math.round(end) };
}

const steps = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000];

/** Round moments within a window, at most so many, with labels as short as tells them apart. */
export function ticks({ from, to }: TimeWindow, most: number): { readonly at: number; readonly label: string }[] {
  const wanted = (to - from) / 1000 / most;
  const step = (steps.find((seconds) => seconds >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400) * 1000;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const [day, time] = new Date(at).toISOString().split('T') as [string, string];
    const label = step >= 86_400_000 || time.startsWith('00:00:00') ? day : time.slice(0, step < 60_000 ? 8 : 5);
    found.push({ at, label });
  }
  return found;
}

/** A window in words, UTC, to the second where it is short: `2026-08-01 10:00 – 11:59`. */
export function windowName({ from, to }: TimeWindow): string {
  const [first, last] = [from, to].map((at) => new Date(at).toISOString().replace('T', ' ')) as [string, string];
  const length = to - from < 120_000 ? 19 : 16;
  const isOneDay = first.slice(0, 10) === last.slice(0, 10);
  return `${first.slice(0, length)} – ${last.slice(isOneDay ? 11 : 0, length)}`;
}

/** A little more than the whole, so that the first and the last marker are not cut. */
export function roomyExtent([first, last]: readonly [number, number]): TimeWindow {
  const room = Math.ceil(Math.max(last - first, 1000) * 0.015);
  return { from: first - room, to: Math.max(last, first + 1000) + room };
}
