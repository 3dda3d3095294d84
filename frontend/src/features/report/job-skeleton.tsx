import { cx } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/states.tsx';
import styles from './job-skeleton.module.css';
import page from './report-page.module.css';

/** The layout of a report while it is on its way. */
export function JobSkeleton() {
  return (
    <div className={page.page} role="status" aria-busy="true" aria-label="The report is loading">
      <div className={styles.head}>
        <Skeleton width={72} height={10} />
        <Skeleton width={320} height={20} />
      </div>
      <div className={page.summary}>
        <div className={cx('card', styles.box)}>
          <Skeleton width="55%" height={40} />
          <Skeleton height={10} />
          <Skeleton width="70%" />
        </div>
        <div className={cx('card', styles.box)}>
          {[90, 60, 70, 50, 65].map((width) => (
            <Skeleton key={width} width={`${width}%`} />
          ))}
        </div>
      </div>
      <FindingsSkeleton />
    </div>
  );
}

/** The layout of the findings while they are on their way. */
export function FindingsSkeleton() {
  return (
    <div className={styles.split} role="status" aria-busy="true" aria-label="The findings are loading">
      <div className={cx('card', styles.list)}>
        {[72, 56, 80, 64, 48, 70, 60].map((width) => (
          <div key={width} className={styles.row}>
            <Skeleton width={`${width}%`} />
            <Skeleton width={`${width - 24}%`} height={8} />
          </div>
        ))}
      </div>
      <div className={cx('card', styles.box)}>
        <Skeleton width="45%" height={20} />
        <Skeleton width="80%" />
        <Skeleton height={160} />
      </div>
    </div>
  );
}
