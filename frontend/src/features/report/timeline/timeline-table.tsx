import { severities } from '@svc/domain';
import { Fragment, useRef } from 'react';
import { cx } from '../../../ui/class-names.ts';
import { count } from '../../../ui/format.ts';
import { SeverityMark } from '../../../ui/severity.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRowsInSight } from '../../../ui/use-rows-in-sight.ts';
import tools from '../panel-tools.module.css';
import { tacticName } from '../tactic-names.ts';
import type { Marker } from './lanes.ts';
import styles from './timeline-table.module.css';

interface TableProps {
  readonly items: readonly Marker[];
  readonly onOpen: (marker: Marker) => void;
}

/** The twin of the picture of lanes, for copying, searching and reading aloud. */
export function TimelineTable({ items, onOpen }: TableProps) {
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
              <th className={styles.number}>Events</th>
            </tr>
          </thead>
          <tbody>
            {inSight.rows.map(({ index, gap }) => (
              <Fragment key={items[index]!.id}>
                <Gap height={gap} />
                <tr ref={inSight.measure} data-index={index} aria-rowindex={index + 2}>
                  <Cells item={items[index]!} onOpen={onOpen} />
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

/** The place of rows that are left out. */
function Gap({ height }: { height: number }) {
  return height === 0 ? null : <tr aria-hidden="true" style={{ height }} />;
}

function Cells({ item, onOpen }: { item: Marker; onOpen: (marker: Marker) => void }) {
  const { start, label, grouping, category, meta } = item;
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
      <td className={styles.number}>{count(meta.events)}</td>
    </>
  );
}
