import { type AnalyzedLog, peakMemoryBytes, type Run } from '../report.ts';
import { type Column, gridLines } from './grid.ts';
import { bold, type Style } from './style.ts';
import { counted, duration, number, printable, rate, size, span } from './text.ts';

interface Place {
  readonly width: number;
  readonly style: Style;
}

const shownKinds = 20;

interface Kind {
  readonly channel: string;
  readonly eventId: string;
  readonly count: number;
}

/** Names of what was passed over. */
export function skippedLines({ skipped }: Run): string[] {
  return skipped.map((name) => `skipped as no known log: ${printable(name)}`);
}

interface Row {
  readonly file: string;
  readonly logType: string;
  readonly bytes: number;
  readonly events: number;
  readonly durationMs: number;
  readonly span: string;
}

/** Gathers what `--stats` tells of a run. */
export class StatisticsCollector {
  readonly #rows: Row[] = [];
  readonly #kinds = new Map<string, Kind>();

  add({ file, bytes, durationMs, analysis }: AnalyzedLog): void {
    const { logType, events, statistics } = analysis;
    const { first = null, last = null, kinds = [] } = statistics ?? {};
    this.#rows.push({ file, logType, bytes, events, durationMs, span: span(first, last) });
    for (const { channel, eventId, count } of kinds) {
      const key = `${channel}\u0000${eventId}`;
      const known = this.#kinds.get(key)?.count ?? 0;
      this.#kinds.set(key, { channel: channel ?? '-', eventId: eventId ?? '-', count: known + count });
    }
  }

  lines(run: Run, place: Place): string[] {
    return [
      place.style(bold, 'Statistics'),
      ...this.#logLines(place),
      '',
      ...this.#kindLines(run.totals.events, place),
      '',
      `  peak memory ${size(peakMemoryBytes())}; ${counted(run.rules.loaded, 'rule')} loaded in ${duration(run.rulesMs)}`,
    ];
  }

  #logLines(place: Place): string[] {
    const columns: Column<Row>[] = [
      { title: 'log', cell: ({ file }) => file, flexible: 24, keepsEnd: true },
      { title: 'type', cell: ({ logType }) => logType },
      { title: 'size', cell: ({ bytes }) => size(bytes), isNumber: true, rank: 1 },
      { title: 'events', cell: ({ events }) => number(events), isNumber: true },
      { title: 'speed', cell: ({ bytes, durationMs }) => rate(bytes, durationMs), isNumber: true, rank: 3 },
      { title: 'time span (UTC)', cell: (row) => row.span, rank: 2 },
    ];
    return gridLines(columns, this.#rows, place);
  }

  #kindLines(events: number, place: Place): string[] {
    const kinds = [...this.#kinds.values()].sort((one, other) => other.count - one.count);
    const columns: Column<Kind>[] = [
      { title: 'events', cell: ({ count }) => number(count), isNumber: true },
      { title: 'share', cell: ({ count }) => `${((count / Math.max(1, events)) * 100).toFixed(1)} %`, isNumber: true },
      { title: 'id', cell: ({ eventId }) => eventId, isNumber: true },
      { title: 'channel', cell: ({ channel }) => channel, flexible: 20 },
    ];
    const more = kinds.length - shownKinds;
    const rest = more > 0 ? [`  … and ${counted(more, 'more kind')} of events; --format json has them all`] : [];
    return [...gridLines(columns, kinds.slice(0, shownKinds), place), ...rest];
  }
}
