import type { FindingRow } from '@svc/contracts';
import type { Tactic } from '@svc/domain';
import { useMemo, type CSSProperties } from 'react';
import { cx } from '../../ui/class-names.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import { byTactic } from './findings/narrow-findings.ts';
import { shortTactic } from '../../ui/tactic-names.ts';
import styles from './tactic-strip.module.css';

interface TacticStripProps {
  readonly findings: readonly FindingRow[];
  readonly chosen: Tactic | undefined;
  readonly onChoose: (tactic: Tactic | undefined) => void;
}

/** Matched events along the ATT&CK tactics in their order; a tactic narrows the findings to its own. */
export function TacticStrip({ findings, chosen, onChoose }: TacticStripProps) {
  const cells = useMemo(() => byTactic(findings), [findings]);
  const most = Math.max(...cells.map(({ events }) => events));
  if (most === 0) return null;
  return (
    <section className={cx('card', styles.strip)} aria-label="ATT&CK tactics">
      {cells.map(({ tactic, rules, events }) => (
        <button
          key={tactic}
          type="button"
          className={styles.cell}
          disabled={events === 0}
          aria-pressed={tactic === chosen}
          style={{ '--tactic': `var(--tactic-${tactic})`, '--share': share(events, most) } as CSSProperties}
          data-hint={`${sentence(tactic)}\n${counted(events, 'matched event')} of ${counted(rules, 'rule')}`}
          onClick={() => onChoose(tactic === chosen ? undefined : tactic)}
        >
          <span className={styles.name}>{shortTactic[tactic]}</span>
          {events > 0 && <span className={styles.count}>{count(events)}</span>}
        </button>
      ))}
    </section>
  );
}

/** Height of a cell's bar, 0 to 1, by the logarithm: one event among thousands is still seen. */
function share(events: number, most: number): number {
  return events === 0 ? 0 : 0.25 + 0.75 * (Math.log1p(events) / Math.log1p(most));
}
