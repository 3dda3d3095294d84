import styles from './progress.module.css';

/** A bar of what is done; without `done` it only says that something is under way. */
export function Progress({ label, done, total }: { label: string; done?: number; total?: number }) {
  const known = done !== undefined && total !== undefined && total > 0;
  const percent = known ? Math.min(100, Math.floor((done / total) * 100)) : undefined;
  return (
    <span
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span className={known ? styles.done : styles.unknown} style={known ? { width: `${percent}%` } : undefined} />
    </span>
  );
}
