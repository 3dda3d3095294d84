import { severities } from '@svc/domain';
import { Fragment, useRef } from 'react';
import { cx } from '../class-names.ts';
import { count } from '../format.ts';
import { SeverityMark } from '../severity.tsx';
import { Time } from '../time.tsx';
import { useRowsInSight } from '../use-rows-in-sight.ts';
import tools from '../panel-tools.module.css';
import { tacticName } from '../tactic-names.ts';
import { JobName } from './job-name.tsx';
import type { MarkedJob, Marker } from './lanes.ts';
import styles from './timeline-table.module.css';

interface TableProps {
  readonly items: readonly Marker[];
  readonly onOpen: (marker: Marker) => void;
  /** Logs by their numbers, where matches are of several. */
  readonly jobs?: ReadonlyMap<number, MarkedJob>;
}

/** The twin of the picture of lanes, for copying, searching and reading aloud. */
export function TimelineTable({ items, onOpen, jobs }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const inSight = useRowsInSight({ scroller, count: items.length, rowHeight: 29, keyOf: (index) => items[index]!.id });
  return (
    <section className={cx('card', tools.card)} aria-label="Matches in order of time">
      <div className={styles.scroll} ref={scroller}>
        <table className={styles.table} aria-rowcount={items.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th className={styles.time}>Time (UTC)</th>
              <th>Rule</th>
              <th className={styles.tactic}>Tactic</th>
              <th className={styles.computer}>Computer</th>
              {jobs && <th className={styles.job}>Log</th>}
              <th className={styles.number}>Events</th>
            </tr>
          </thead>
          <tbody>
            {inSight.rows.map(({ index, gap }) => (
              <Fragment key={items[index]!.id}>
                <Gap height={gap} />
                <tr ref={inSight.measure} data-index={index} aria-rowindex={index + 2}>
                  <Cells item={items[index]!} onOpen={onOpen} jobs={jobs} />
                </tr>
              </Fragment>
            ))}
            <Gap height={inSight.after} />
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface Cell {
  readonly item: Marker;
  readonly jobs: TableProps['jobs'];
}

/** The place of rows that are left out. */
function Gap({ height }: { height: number }) {
  return height === 0 ? null : <tr aria-hidden="true" style={{ height }} />;
}

function Cells({ item, onOpen, jobs }: Omit<TableProps, 'items' | 'jobs'> & Cell) {
  const { start, label, grouping, category, meta } = item;
  const job = jobs?.get(meta.job_id);
  // The service names no others.
  const severity = severities.find((one) => one === category) ?? 'informational';
  return (
    <>
      <td className={styles.time}>
        <Time iso={new Date(start).toISOString()} />
      </td>
      <td>
        <button type="button" className={styles.rule} onClick={() => onOpen(item)}>
          <SeverityMark severity={severity} />
          {label}
        </button>
      </td>
      <td className={styles.tactic}>{tacticName(grouping)}</td>
      <td className={cx(styles.computer, 'cut')} data-hint={meta.computer ?? undefined}>
        {meta.computer}
      </td>
      {jobs && <td className={styles.job}>{job && <JobName job={job} />}</td>}
      <td className={styles.number}>{count(meta.events)}</td>
    </>
  );
}
