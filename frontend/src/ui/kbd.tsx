import styles from './kbd.module.css';

const apple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key combination, as this machine's keyboard names it. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys} aria-hidden="true">
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {key === 'mod' ? (apple ? '⌘' : 'Ctrl') : key}
        </kbd>
      ))}
    </span>
  );
}
