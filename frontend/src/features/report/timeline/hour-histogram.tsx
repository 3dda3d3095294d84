import { timelineOf } from '@svc/application/report/shown/analytics.ts';
import type { Analytics, FindingRow } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { analyticsQuery, markersQuery, useReport } from '../../../api/report-source.ts';
import { cx } from '../../../ui/class-names.ts';
import { count } from '../../../ui/format.ts';
import { HoursChart } from '../../../ui/timeline/hours-chart.tsx';
import styles from '../../../ui/timeline/hours-chart.module.css';
import { matchesByHour } from '../findings/count-matches.ts';
import { useHasSeveralEngines } from '../findings/other-engines.ts';
import { timeWindow } from '../job-view.ts';
import { useJobView } from '../use-job-view.ts';

type Hour = NonNullable<Analytics['timeline']>[number];

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
  const hasSeveral = useHasSeveralEngines();
  const [view, change] = useJobView();
  const { host } = view;
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
  return (
    <HoursChart
      hours={timeline}
      legend={hasLegend ? legend : []}
      window={timeWindow(view)}
      onBrush={(next) => change({ from: next?.from, to: next?.to })}
      note={noteOf(timeline, { matches, isPrefix, hasSeveral })}
    />
  );
}

interface Plotted {
  readonly matches: number;
  /** Only the first of them are plotted. */
  readonly isPrefix: boolean;
  /** Of several engines: those of one are plotted. */
  readonly hasSeveral: boolean;
}

function noteOf(hours: readonly Hour[], { matches, isPrefix, hasSeveral }: Plotted): string {
  const dated = hours.reduce((sum, hour) => sum + hour.count, 0);
  if (matches <= dated) return '';
  const why = isPrefix
    ? 'beyond what is plotted'
    : hasSeveral
      ? 'without a time, or of other engines alone'
      : 'without a time';
  return `; ${count(matches - dated)} ${why}`;
}

function matchesOf(findings: readonly FindingRow[]): number {
  return findings.reduce((matches, { count: own }) => matches + own, 0);
}
