import { useElementSize } from '@mantine/hooks';
import { severities } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { entitySightingsQuery } from '../../api/intel.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import chart from '../../ui/time-bars/time-bars.module.css';
import { TimeBars } from '../../ui/time-bars/time-bars-chart.tsx';
import type { TimeWindow } from '../../ui/time-bars/time-bars.ts';
import styles from './entity-overview.module.css';
import { sightingBars, sightingLooks } from './sighting-bars.ts';

interface SightingsProps {
  readonly id: number;
  readonly window: TimeWindow | null;
  readonly onWindow: (window: TimeWindow | null) => void;
}

/** What the findings that name it say of it, and when jobs saw it; a bar narrows its jobs to those of then. */
export function EntitySightings({ id, window, onWindow }: SightingsProps) {
  const { data, error, refetch } = useQuery(entitySightingsQuery(id));
  const { ref, width } = useElementSize<HTMLDivElement>();
  const bars = useMemo(() => (data === undefined ? [] : sightingBars(data)), [data]);
  if (data === undefined) {
    if (error) return <ErrorState what="The sightings cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={96} />;
  }
  if (data.jobs === 0) return <p className="soft">In no job that you may see.</p>;
  const found = severities.filter((severity) => data.findings[severity] > 0);
  const jobs = counted(data.jobs, 'job');
  return (
    <>
      <div className={styles.verdict}>
        {found.map((severity) => (
          <span key={severity} className={styles.amount}>
            <SeverityMark severity={severity} /> {count(data.findings[severity])}
          </span>
        ))}
        <span className="soft">
          {found.length === 0
            ? `No finding names it; ${jobs} that you may see ${data.jobs === 1 ? 'does' : 'do'}`
            : `findings name it, in ${count(data.jobs_with_findings)} of ${jobs} that you may see`}
          {data.is_cut && ', the newest'}
        </span>
      </div>
      <div ref={ref} className={chart.chart}>
        {width > 0 && <TimeBars looks={sightingLooks} bars={bars} width={width} window={window} onBrush={onWindow} />}
      </div>
      {data.undated > 0 && (
        <p className={cx('faint', styles.undated)}>
          Of {counted(data.undated, 'job')} no event tells when; they stand where they were submitted.
        </p>
      )}
    </>
  );
}
