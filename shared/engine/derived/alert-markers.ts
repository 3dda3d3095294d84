/** Steps that markers are collapsed by, in seconds (resolved-platform 8.4). */
export const alertResolutions = [1, 5, 15, 60, 300, 900, 3600, 86_400] as const;

const mostLive = 250_000;
/** Markers that are stored. */
const mostKept = 60_000;

/** Matches of one rule on one computer within one step of time. */
export interface AlertMarker {
  /** Start of the step, UTC seconds since 1970. */
  readonly time: number;
  /** Place of the rule in its set. */
  readonly rule: number;
  readonly computer: string | null;
  readonly count: number;
}

/** All markers of a run; plain data, so that threads can hand it over. */
export interface AlertMarkers {
  /** Step in seconds. */
  readonly resolution: number;
  readonly markers: readonly AlertMarker[];
  /** Matches in the markers. */
  readonly total: number;
  /** Matches without a time. */
  readonly undated: number;
}

/** Collapses matches into markers on a line of time, in bounded memory: more of them make the steps coarser. */
export class AlertLine {
  readonly #most: number;
  #step = 0;
  #markers = new Map<string, { time: number; rule: number; computer: string | null; count: number }>();
  #total = 0;
  #undated = 0;

  constructor(most = mostLive) {
    this.#most = most;
  }

  add(rule: number, timestamp: string | null, computer: string | null): void {
    const at = timestamp === null ? Number.NaN : Date.parse(timestamp);
    if (Number.isNaN(at)) {
      this.#undated++;
      return;
    }
    this.#put(rule, Math.floor(at / 1000), computer, 1);
  }

  /** In order of time, rule and computer. */
  markers(): AlertMarkers {
    const markers = [...this.#markers.values()].sort(inOrder);
    return { resolution: alertResolutions[this.#step]!, markers, total: this.#total, undated: this.#undated };
  }

  /** What several runs over parts of one input have, at the finest step that fits. */
  static join(parts: readonly AlertMarkers[]): AlertMarkers {
    const all = new AlertLine(Number.POSITIVE_INFINITY);
    all.#coarsenTo(Math.max(0, ...parts.map(({ resolution }) => alertResolutions.indexOf(resolution as 1))));
    for (const { markers, undated } of parts) {
      all.#undated += undated;
      for (const { rule, time, computer, count } of markers) all.#put(rule, time, computer, count);
    }
    while (all.#markers.size > mostKept && all.#step < alertResolutions.length - 1) all.#coarsenTo(all.#step + 1);
    return all.markers();
  }

  #put(rule: number, seconds: number, computer: string | null, count: number): void {
    this.#total += count;
    const resolution = alertResolutions[this.#step]!;
    const time = Math.floor(seconds / resolution) * resolution;
    const key = `${rule}\u0000${time}\u0000${computer ?? ''}`;
    const marker = this.#markers.get(key);
    if (marker !== undefined) marker.count += count;
    else {
      this.#markers.set(key, { rule, time, computer, count });
      if (this.#markers.size > this.#most && this.#step < alertResolutions.length - 1) this.#coarsenTo(this.#step + 1);
    }
  }

  #coarsenTo(step: number): void {
    this.#step = step;
    const before = [...this.#markers.values()];
    const total = this.#total;
    this.#markers = new Map();
    for (const { rule, time, computer, count } of before) this.#put(rule, time, computer, count);
    this.#total = total;
  }
}

function inOrder(a: AlertMarker, b: AlertMarker): number {
  return a.time - b.time || a.rule - b.rule || compare(a.computer ?? '', b.computer ?? '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
