/** A stretch of time in milliseconds since 1970; its end is after its start. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** What was in a stretch of time. */
export interface TimeBar extends TimeWindow {
  /** `10:00`, or `10:00 to 12:00` when it stands for more than one hour. */
  readonly label: string;
  readonly count: number;
  /** The parts of it, from the axis up. */
  readonly segments: readonly { readonly key: string; readonly count: number }[];
  /** How many bars with nothing in them would stand between the one before and this one. */
  readonly gap: number;
}

const hourMs = 3_600_000;

/** The window of the bars between two places, both included, whichever comes first. */
export function windowOf(bars: readonly TimeBar[], one: number, other: number): TimeWindow {
  return { from: bars[Math.min(one, other)]!.from, to: bars[Math.max(one, other)]!.to };
}

/** Whether a bar lies in a window in part at least; all do when there is none. */
export function isWithin(bar: TimeBar, window: TimeWindow | null): boolean {
  return window === null || (bar.from <= window.to && bar.to >= window.from);
}

/** A longer gap is drawn as a break of so many bars, and named. */
const longestGap = 4;

/** Where bars stand on the axis, in bars from its start, and which gaps are cut short. */
export function placed(bars: readonly TimeBar[]): {
  readonly starts: readonly number[];
  readonly breaks: readonly { readonly at: number; readonly hours: number }[];
  readonly length: number;
} {
  const starts: number[] = [];
  const breaks: { at: number; hours: number }[] = [];
  let length = 0;
  for (const [nth, { gap, from }] of bars.entries()) {
    if (gap > longestGap) {
      const hours = Math.round((from - bars[nth - 1]!.to - 1) / hourMs);
      breaks.push({ at: length + longestGap / 2, hours });
    }
    length += Math.min(gap, longestGap);
    starts.push(length);
    length += 1;
  }
  return { starts, breaks, length };
}
