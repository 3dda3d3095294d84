import { cx } from '../class-names.ts';
import type { MarkedJob } from './lanes.ts';
import styles from './job-name.module.css';

/** A log by its colour and its name. */
export function JobName({ job: { name, color } }: { job: MarkedJob }) {
  return (
    <span className={styles.job}>
      <span className={styles.dot} style={{ borderColor: `var(${color})` }} />
      <span className={cx(styles.name, 'cut')} data-hint={name}>
        {name}
      </span>
    </span>
  );
}
