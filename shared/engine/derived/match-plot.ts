import { AlertLine, type AlertMarkers } from './alert-markers.ts';
import { type HourCount, HourHistogram } from './hours.ts';

/** When matches were; plain data, so that threads can hand it over. */
export interface Plotted {
  /** Matches by hour and group. */
  readonly hours: readonly HourCount[];
  readonly alerts: AlertMarkers;
}

/** Plots matches by hour and as alerts (resolved-platform 8.3 and 8.4), in memory that does not grow with them. */
export class MatchPlot {
  readonly #groups: readonly string[];
  readonly #hours = new HourHistogram();
  readonly #alerts = new AlertLine();

  /** @param groups by the place of what reports a match among all that do. */
  constructor(groups: readonly string[]) {
    this.#groups = groups;
  }

  add(rule: number, timestamp: string | null, computer: string | null): void {
    this.#hours.add(timestamp, this.#groups[rule] ?? '');
    this.#alerts.add(rule, timestamp, computer);
  }

  result(): Plotted {
    return { hours: this.#hours.hours(), alerts: this.#alerts.markers() };
  }

  static join(plots: readonly Plotted[]): Plotted {
    return {
      hours: HourHistogram.join(plots.map(({ hours }) => hours)),
      alerts: AlertLine.join(plots.map(({ alerts }) => alerts)),
    };
  }
}

/** The plot that such markers were made with: each counts in the hour that its step begins in. */
export function plotOf(alerts: AlertMarkers, groups: readonly string[]): Plotted {
  const hours = new HourHistogram();
  for (const { rule, time, count } of alerts.markers) {
    hours.add(new Date(time * 1000).toISOString(), groups[rule] ?? '', count);
  }
  return { hours: hours.hours(), alerts };
}
