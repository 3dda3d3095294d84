import type { FindingRow } from '@svc/contracts';
import type { ReactNode } from 'react';
import { cx } from '../../../ui/class-names.ts';
import { mostRows } from '../../../ui/use-rows-in-sight.ts';
import { FindingGroupRows } from './finding-group.tsx';
import styles from './findings-list.module.css';
import { ManyFindings } from './many-findings.tsx';
import type { FindingGroup } from './narrow-findings.ts';

interface FindingsListProps {
  /** Those that the filters let through. */
  readonly groups: readonly FindingGroup[];
  readonly chosen: FindingRow | undefined;
  readonly onChoose: (finding: FindingRow) => void;
  /** Stands under them. */
  readonly below?: ReactNode;
}

/** The findings in their groups. */
export function FindingsList({ groups, chosen, onChoose, below }: FindingsListProps) {
  const shown = groups.reduce((sum, group) => sum + group.findings.length, 0);
  return (
    <div className={cx('card', styles.list)}>
      {shown > mostRows ? (
        <ManyFindings groups={groups} chosen={chosen?.id} onChoose={onChoose} />
      ) : (
        <div className={styles.rows} data-rows>
          {shown === 0 && <p className={styles.none}>No finding passes these filters.</p>}
          {groups.map((group) => (
            <FindingGroupRows key={group.key} group={group} chosen={chosen?.id} onChoose={onChoose} />
          ))}
        </div>
      )}
      {below}
    </div>
  );
}
