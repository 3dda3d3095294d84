import { useElementSize } from '@mantine/hooks';
import { timelineOf } from '@svc/application/report/shown/analytics.ts';
import type { Analytics, FindingRow } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { analyticsQuery, markersQuery, useReport } from '../../../api/report-source.ts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { TimeBars, type BarLooks } from '../../../ui/time-bars/time-bars-chart.tsx';
import { isWithin, type TimeBar, type TimeWindow } from '../../../ui/time-bars/time-bars.ts';
import chart from '../../../ui/time-bars/time-bars.module.css';
import { axisLabel, hourBars } from './hour-bars.ts';
import styles from './hour-histogram.module.css';
import { matchesByHour } from '../findings/count-matches.ts';
import { timeWindow } from '../job-view.ts';
import { tacticColor, tacticName } from '../tactic-names.ts';
import { useJobView } from '../use-job-view.ts';

type Legend = NonNullable<Analytics['timeline_tactics']>;

/** The least width of a bar with its gap, in pixels. */
const leastBar = 5;

const looks: BarLooks = {
  name: 'Matches by hour',
  unit: ['match', 'matches'],
  partName: tacticName,
  partColor: tacticColor,
  axisLabel,
};

interface HourHistogramProps {
  /** Those that pass every filter but host and time, of all there are. */
  readonly findings: readonly FindingRow[];
  readonly all: readonly FindingRow[];
  /** Colours are explained where nothing near does. */
  readonly hasLegend: boolean;
}

/**
 * Matches of each hour, stacked by tactic (resolved-platform 8.3), narrowed to host and findings that are looked at;
 * brushing hours narrows the findings to them.
 */
export function HourHistogram({ findings, all, hasLegend }: HourHistogramProps) {
  const report = useReport();
  const { data, isPending } = useQuery(analyticsQuery(report));
  const [{ host }] = useJobView();
  const isNarrowed = host !== undefined || findings.length < all.length;
  const { data: markers } = useQuery({ ...markersQuery(report), enabled: isNarrowed });
  const { timeline: whole, timeline_tactics: legend = [], events_capped: isPrefix = false } = data?.analytics ?? {};
  const timeline = useMemo(() => {
    if (!isNarrowed || markers === undefined) return whole;
    const ids = new Set(findings.map(({ id }) => id));
    const hours = matchesByHour(markers, (id) => ids.has(id), { host });
    return hours === null ? whole : timelineOf(hours).timeline;
  }, [isNarrowed, markers, whole, findings, host]);
  // Of those of a host it is not known how many have no time.
  const matches = host === undefined ? matchesOf(findings) : 0;
  if (isPending) return <section className={cx('card', styles.card, styles.waiting)} aria-hidden="true" />;
  if (timeline === undefined || whole?.length === 0) return null;
  return <Histogram hours={timeline} legend={hasLegend ? legend : []} matches={matches} isPrefix={isPrefix} />;
}

function Histogram({
  hours,
  legend,
  matches,
  isPrefix,
}: {
  hours: NonNullable<Analytics['timeline']>;
  legend: Legend;
  matches: number;
  isPrefix: boolean;
}) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [view, change] = useJobView();
  const [isTable, setTable] = useState(false);
  const window = timeWindow(view);
  const bars = useMemo(() => hourBars(hours, Math.floor(width / leastBar)), [hours, width]);
  const shown = bars.filter((bar) => isWithin(bar, window)).reduce((sum, bar) => sum + bar.count, 0);
  const dated = hours.reduce((sum, hour) => sum + hour.count, 0);
  const brush = (next: TimeWindow | null) => change({ from: next?.from, to: next?.to });
  return (
    <section className={cx('card', styles.card)} aria-label="Matches by hour">
      <header className={styles.head}>
        <h2 className={styles.title}>Matches by hour</h2>
        <span className={styles.facts} role="status">
          {window === null
            ? counted(dated, 'match', 'matches')
            : `${count(shown)} of ${counted(dated, 'match', 'matches')}`}
          , UTC
          {matches > dated && `; ${count(matches - dated)} ${isPrefix ? 'beyond what is plotted' : 'without a time'}`}
        </span>
        {legend.length > 0 && (
          <ul className={styles.legend} aria-label="Tactics">
            {legend.map(({ key }) => (
              <li key={key} className={chart.key}>
                <span className={chart.dot} style={{ background: tacticColor(key) }} />
                {tacticName(key)}
              </li>
            ))}
          </ul>
        )}
        <span className={styles.deeds}>
          {window !== null && <LinkButton onClick={() => brush(null)}>All hours</LinkButton>}
          <LinkButton aria-expanded={isTable} onClick={() => setTable(!isTable)}>
            As a table
          </LinkButton>
        </span>
      </header>
      <div ref={ref} className={chart.chart}>
        {width > 0 && bars.length > 0 && (
          <TimeBars looks={looks} bars={bars} width={width} window={window} onBrush={brush} />
        )}
      </div>
      {isTable && <Twin bars={bars} onBrush={brush} />}
    </section>
  );
}

/** The same as a table, for screen readers, copying and those without a pointer. */
function Twin({ bars, onBrush }: { bars: readonly TimeBar[]; onBrush: (window: TimeWindow) => void }) {
  return (
    <div className={styles.twin}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Hour (UTC)</th>
            <th className="num">Matches</th>
            <th>Tactics</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.from}>
              <td>
                <LinkButton onClick={() => onBrush({ from: bar.from, to: bar.to })}>{bar.label}</LinkButton>
              </td>
              <td className="num">{count(bar.count)}</td>
              <td>{tacticsOf(bar)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function matchesOf(findings: readonly FindingRow[]): number {
  return findings.reduce((matches, { count: own }) => matches + own, 0);
}

function tacticsOf({ segments }: TimeBar): string {
  return segments.map(({ key, count: found }) => `${tacticName(key)} ${count(found)}`).join(', ');
}
