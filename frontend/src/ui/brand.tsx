import styles from './brand.module.css';

/** The mark of the product, with its name beside it. */
export function Brand({ wordless }: { wordless?: boolean }) {
  return (
    <span className={styles.brand}>
      <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
        <rect width="32" height="32" rx="8" className={styles.ground} />
        <path d="M8 10.5h16M8 16h9M8 21.5h12.5" className={styles.lines} />
        <circle cx="22.8" cy="16" r="2.6" className={styles.find} />
      </svg>
      {!wordless && (
        <span className={styles.name}>
          svc <span className="faint">log analysis</span>
        </span>
      )}
    </span>
  );
}
