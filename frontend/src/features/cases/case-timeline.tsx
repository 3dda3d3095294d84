import type { CaseDetails } from '@svc/contracts';
import { IconClockOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { caseEventsQuery, caseTimelineQuery } from '../../api/case-story.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import tools from '../../ui/panel-tools.module.css';
import { SeverityChips } from '../../ui/severity-chips.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { Switcher } from '../../ui/switcher.tsx';
import { HoursChart } from '../../ui/timeline/hours-chart.tsx';
import { lanesOf, type LanesBy, type Marker } from '../../ui/timeline/lanes.ts';
import { TimelineLanes } from '../../ui/timeline/timeline-lanes.tsx';
import { TimelineTable } from '../../ui/timeline/timeline-table.tsx';
import { roomyExtent, type TimeWindow } from '../../ui/timeline/time-window.ts';
import { CaseClocks, ClockHints } from './case-clocks.tsx';
import { CaseLogs } from './case-logs.tsx';
import { KeyEvents } from './key-events.tsx';
import { markedJobs } from './marked-jobs.ts';
import { useCaseView } from './use-case-view.ts';
import styles from './case-timeline.module.css';

const lanesBy: readonly (readonly [LanesBy, string])[] = [
  ['tactic', 'Tactics'],
  ['host', 'Hosts'],
  ['job', 'Logs'],
];

/** When what was found in all logs of the case happened: by hour, as markers in lanes, and the first events. */
export function CaseTimeline({ of }: { of: CaseDetails }) {
  const [view, change] = useCaseView();
  const { job, severity, from, to, lanes = 'tactic' } = view;
  const window = from === undefined || to === undefined ? null : { from, to };
  const whole = useQuery(caseTimelineQuery(of.id));
  const story = useQuery({ ...caseTimelineQuery(of.id, { job, severity }), placeholderData: keepPreviousData });
  const events = useQuery({
    ...caseEventsQuery(of.id, { job, severity, ...window }),
    placeholderData: keepPreviousData,
  });
  const jobs = useMemo(() => markedJobs(whole.data?.jobs ?? []), [whole.data]);
  const byId = useMemo(() => new Map(jobs.map((one) => [one.id, one])), [jobs]);
  const navigate = useNavigate();
  const error = whole.error ?? story.error ?? events.error;
  if (error) {
    const retry = () => void Promise.all([whole.refetch(), story.refetch(), events.refetch()]);
    return <ErrorState what="The timeline cannot be read" error={error} retry={retry} />;
  }
  if (!whole.data || !story.data || !events.data) return <Skeleton height={320} />;
  const offsets = new Map(whole.data.jobs.map((one) => [one.id, one.clock_offset]));
  const show = (next: TimeWindow | null) => change({ from: next?.from, to: next?.to });
  const open = ({ start, meta }: Marker) =>
    void navigate({
      to: paths.job,
      params: { jobId: meta.job_id },
      // The report has the times of its log.
      search: { finding: meta.finding_id, at: start + (offsets.get(meta.job_id) ?? 0) * 1000 },
    });
  const { covered, total, timeline = [], timeline_tactics: legend = [] } = story.data;
  return (
    <div className={cx(styles.panels, styles.logs)}>
      <ClockHints of={of} jobs={whole.data.jobs} />
      <CaseLogs jobs={jobs} of={whole.data.jobs} chosen={job} onChoose={(next) => change({ job: next })} />
      {timeline.length > 0 && (
        <HoursChart
          hours={timeline}
          legend={legend}
          window={window}
          onBrush={show}
          note={covered < total ? `; ${count(covered)} of ${counted(total, 'log')}` : undefined}
        />
      )}
      {events.data.extent === null ? (
        <div className="card">
          <EmptyState icon={IconClockOff} title="There is nothing on a line of time">
            {total === 0
              ? 'No job of this case is one that you see.'
              : 'No job of this case has matches with a readable time.'}
          </EmptyState>
        </div>
      ) : (
        <Lanes {...{ events: events.data, jobs, byId, lanes, window, open, show }} extent={events.data.extent} />
      )}
      <KeyEvents story={story.data} jobs={byId} offsets={offsets} />
      <CaseClocks of={of} jobs={whole.data.jobs} />
    </div>
  );
}

interface LanesProps {
  readonly events: Parameters<typeof lanesOf>[0];
  readonly extent: readonly [number, number];
  readonly jobs: ReturnType<typeof markedJobs>;
  readonly byId: ReadonlyMap<number, ReturnType<typeof markedJobs>[number]>;
  readonly lanes: LanesBy;
  readonly window: TimeWindow | null;
  readonly open: (marker: Marker) => void;
  readonly show: (window: TimeWindow | null) => void;
}

function Lanes({ events, extent, jobs, byId, lanes, window, open, show }: LanesProps) {
  const [view, change] = useCaseView();
  const whole = roomyExtent(extent);
  return (
    <>
      <section className={cx('card', tools.card)} aria-label="Timeline">
        <div className={tools.tools}>
          <Switcher
            label="Lanes"
            value={lanes}
            options={lanesBy}
            onChange={(value) => change({ lanes: value === 'tactic' ? undefined : value })}
          />
          <SeverityChips chosen={view.severity} onChange={change} />
          <span className={tools.facts} role="status">
            {counted(events.total, 'match', 'matches')}
            {events.discarded > 0 && `, collapsed to ${counted(events.items.length, 'marker')}`}
            {events.undated > 0 && `; ${count(events.undated)} without a time`}
            {events.jobs_without_index > 0 && `; ${counted(events.jobs_without_index, 'log')} without a timeline`}
          </span>
          <LinkButton disabled={window === null} onClick={() => show(null)}>
            Whole case
          </LinkButton>
        </div>
        <TimelineLanes
          timeline={events}
          lanes={lanesOf(events, lanes, jobs)}
          extent={whole}
          window={window ?? whole}
          onWindow={show}
          onOpen={open}
          jobs={byId}
        />
      </section>
      <TimelineTable items={events.items} onOpen={open} jobs={byId} />
    </>
  );
}
