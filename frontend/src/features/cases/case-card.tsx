import type { ReactNode } from 'react';
import { cx } from '../../ui/class-names.ts';
import styles from './case-overview.module.css';

/** A part of the overview. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={cx('card', styles.card)} aria-label={title}>
      <div className={styles.cardHead}>
        <h2 className={styles.title}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
