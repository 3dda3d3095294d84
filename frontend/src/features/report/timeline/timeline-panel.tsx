import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconClockOff } from '@tabler/icons-react';
import { timelineQuery, useReport } from '../../../api/report-source.ts';
import { cx } from '../../../ui/class-names.ts';
import { FilterChip } from '../../../ui/filter-chip.tsx';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import { FindingsSkeleton } from '../job-skeleton.tsx';
import { timelineWindow, timeWindow } from '../job-view.ts';
import tools from '../../../ui/panel-tools.module.css';
import { SeverityChips } from '../../../ui/severity-chips.tsx';
import { lanesOf, type Marker } from '../../../ui/timeline/lanes.ts';
import { TimelineLanes } from '../../../ui/timeline/timeline-lanes.tsx';
import { TimelineTable } from '../../../ui/timeline/timeline-table.tsx';
import { roomyExtent, type TimeWindow } from '../../../ui/timeline/time-window.ts';
import { useJobView } from '../use-job-view.ts';

const lanesBy: readonly (readonly ['tactic' | 'host', string])[] = [
  ['tactic', 'Tactics'],
  ['host', 'Hosts'],
];

/** When what was found happened: markers in lanes, to zoom into, and the same as a table. */
export function TimelinePanel() {
  const report = useReport();
  const [view, change] = useJobView();
  const { host, lanes = 'tactic' } = view;
  const window = timeWindow(view);
  const { data, error, refetch } = useQuery({
    ...timelineQuery(report, timelineWindow(view)),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorState what="The timeline cannot be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <FindingsSkeleton />;
  if (data.extent === null) {
    return (
      <div className="card">
        <EmptyState icon={IconClockOff} title="There is nothing on a line of time">
          {data.index_missing
            ? 'This job was analysed without a timeline. Submit the file again to have one made.'
            : 'No matched event has a readable time.'}
        </EmptyState>
      </div>
    );
  }
  const extent = roomyExtent(data.extent);
  const open = ({ start, meta }: Marker) => change({ view: undefined, finding: meta.finding_id, at: start });
  const show = (next: TimeWindow | null) => change({ from: next?.from, to: next?.to });
  return (
    <>
      <section className={cx('card', tools.card)} aria-label="Timeline">
        <div className={tools.tools}>
          <Switcher
            label="Lanes"
            value={lanes}
            options={lanesBy}
            onChange={(value) => change({ lanes: value === 'host' ? value : undefined })}
          />
          <SeverityChips chosen={view.severity} onChange={change} />
          {host !== undefined && <FilterChip text={host} onRemove={() => change({ host: undefined })} />}
          <span className={tools.facts} role="status">
            {counted(data.total, 'match', 'matches')}
            {data.discarded > 0 && `, collapsed to ${counted(data.items.length, 'marker')}`}
            {data.undated > 0 && `; ${count(data.undated)} without a time`}
          </span>
          <LinkButton disabled={window === null} onClick={() => show(null)}>
            Whole log
          </LinkButton>
        </div>
        <TimelineLanes
          timeline={data}
          lanes={lanesOf(data, lanes)}
          extent={extent}
          window={window ?? extent}
          onWindow={show}
          onOpen={open}
        />
      </section>
      <TimelineTable items={data.items} onOpen={open} />
    </>
  );
}
