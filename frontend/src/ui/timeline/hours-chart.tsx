import { useElementSize } from '@mantine/hooks';
import type { Analytics } from '@svc/contracts';
import { useMemo, useState } from 'react';
import { cx } from '../class-names.ts';
import { count, counted } from '../format.ts';
import { LinkButton } from '../link-button.tsx';
import { tacticColor, tacticName } from '../tactic-names.ts';
import { TimeBars, type BarLooks } from '../time-bars/time-bars-chart.tsx';
import { isWithin, type TimeBar, type TimeWindow } from '../time-bars/time-bars.ts';
import chart from '../time-bars/time-bars.module.css';
import { axisLabel, hourBars } from './hour-bars.ts';
import styles from './hours-chart.module.css';

/** The least width of a bar with its gap, in pixels. */
const leastBar = 5;

const looks: BarLooks = {
  name: 'Matches by hour',
  unit: ['match', 'matches'],
  partName: tacticName,
  partColor: tacticColor,
  axisLabel,
};

interface HoursProps {
  readonly hours: NonNullable<Analytics['timeline']>;
  /** Tactics whose colours are explained. */
  readonly legend: NonNullable<Analytics['timeline_tactics']>;
  readonly window: TimeWindow | null;
  readonly onBrush: (window: TimeWindow | null) => void;
  /** Stands behind how many matches there are. */
  readonly note?: string | undefined;
}

/** Matches of each hour, stacked by tactic (resolved-platform 8.3), to brush, and the same as a table. */
export function HoursChart({ hours, legend, window, onBrush, note }: HoursProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [isTable, setTable] = useState(false);
  const bars = useMemo(() => hourBars(hours, Math.floor(width / leastBar)), [hours, width]);
  const shown = bars.filter((bar) => isWithin(bar, window)).reduce((sum, bar) => sum + bar.count, 0);
  const dated = hours.reduce((sum, hour) => sum + hour.count, 0);
  return (
    <section className={cx('card', styles.card)} aria-label="Matches by hour">
      <header className={styles.head}>
        <h2 className={styles.title}>Matches by hour</h2>
        <span className={styles.facts} role="status">
          {window === null
            ? counted(dated, 'match', 'matches')
            : `${count(shown)} of ${counted(dated, 'match', 'matches')}`}
          , UTC
          {note}
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
          {window !== null && <LinkButton onClick={() => onBrush(null)}>All hours</LinkButton>}
          <LinkButton aria-expanded={isTable} onClick={() => setTable(!isTable)}>
            As a table
          </LinkButton>
        </span>
      </header>
      <div ref={ref} className={chart.chart}>
        {width > 0 && bars.length > 0 && (
          <TimeBars looks={looks} bars={bars} width={width} window={window} onBrush={onBrush} />
        )}
      </div>
      {isTable && <Twin bars={bars} onBrush={onBrush} />}
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

function tacticsOf({ segments }: TimeBar): string {
  return segments.map(({ key, count: found }) => `${tacticName(key)} ${count(found)}`).join(', ');
}
