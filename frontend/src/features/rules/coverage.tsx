import { tactics, type Tactic } from '@svc/domain';
import type { CSSProperties } from 'react';
import { cx } from '../../ui/class-names.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import styles from './rules-page.module.css';

interface CoverageProps {
  /** Rules by tactic. */
  readonly counts: Readonly<Record<string, number>>;
  readonly techniques: number;
  readonly chosen: Tactic | undefined;
  readonly onChoose: (tactic: Tactic | undefined) => void;
}

/** How many rules of the pack there are for each tactic; a tactic narrows the list. */
export function Coverage({ counts, techniques, chosen, onChoose }: CoverageProps) {
  const most = Math.max(1, ...Object.values(counts));
  return (
    <section className={cx('card', styles.coverage)} aria-label="Coverage of ATT&CK">
      <p className={styles.covered}>{counted(techniques, 'technique')} covered</p>
      <div className={styles.bars}>
        {tactics.map((tactic) => (
          <button
            key={tactic}
            type="button"
            className={styles.bar}
            aria-pressed={tactic === chosen}
            disabled={!counts[tactic]}
            style={{ '--share': (counts[tactic] ?? 0) / most, '--tactic': `var(--tactic-${tactic})` } as CSSProperties}
            onClick={() => onChoose(tactic === chosen ? undefined : tactic)}
          >
            <span className={cx(styles.tactic, 'cut')}>{sentence(tactic)}</span>
            <span>{count(counts[tactic] ?? 0)}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
