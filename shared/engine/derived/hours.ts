/** Matches of one hour, by group (a tactic); UTC, `2026-08-01T09`. */
export interface HourCount {
  readonly hour: string;
  readonly groups: ReadonlyMap<string, number>;
}

const mostHours = 200_000;

/** Counts matches by hour and group (resolved-platform 8.3); the undated are not counted. */
export class HourHistogram {
  readonly #hours = new Map<string, Map<string, number>>();

  add(timestamp: string | null, group: string, count = 1): void {
    if (timestamp === null) return;
    const hour = timestamp.slice(0, 13);
    let groups = this.#hours.get(hour);
    if (groups === undefined) {
      if (this.#hours.size >= mostHours) return;
      this.#hours.set(hour, (groups = new Map()));
    }
    groups.set(group, (groups.get(group) ?? 0) + count);
  }

  /** In order of time. */
  hours(): HourCount[] {
    return [...this.#hours]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([hour, groups]) => ({ hour, groups: new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1))) }));
  }

  static join(parts: readonly (readonly HourCount[])[]): HourCount[] {
    const all = new HourHistogram();
    for (const { hour, groups } of parts.flat()) for (const [group, count] of groups) all.add(hour, group, count);
    return all.hours();
  }
}
