import type { ReactNode } from 'react';
import { count } from './format.ts';
import styles from './page-head.module.css';

/** Title of a page with a list, how many there are, and what can be done with all of them. */
export function PageHead(props: { title: string; total?: number | string | undefined; children?: ReactNode }) {
  const { title, total, children } = props;
  return (
    <div className={styles.head}>
      <h1 className={styles.title}>{title}</h1>
      {total !== undefined && <span className="faint">{typeof total === 'number' ? count(total) : total}</span>}
      <div className={styles.controls}>{children}</div>
    </div>
  );
}
