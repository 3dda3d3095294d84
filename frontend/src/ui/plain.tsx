import styles from './markdown.module.css';

/** A text just as it was written. */
export function Plain({ text }: { text: string }) {
  return <p className={styles.plain}>{text}</p>;
}
