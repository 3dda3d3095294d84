import { severities, type Severity, type SeveritySummary } from '@svc/domain';
import type { ReactNode } from 'react';
import { cx } from '../../../ui/class-names.ts';
import { count, sentence } from '../../../ui/format.ts';
import { severityColors } from '../../../ui/severity.tsx';
import styles from './batch.module.css';

/** Heads of {@link RuleCountCells}. */
export function RuleCountHeads() {
  return severities.map((severity) => (
    <th
      key={severity}
      scope="col"
      className={cx('num', styles.severity)}
      data-hint={`Rules of severity ${severity} that matched`}
    >
      <span aria-hidden="true">{severity.charAt(0).toUpperCase()}</span>
      <span className="sr-only">{sentence(severity)}</span>
    </th>
  ));
}

interface CellsProps {
  readonly rules: SeveritySummary;
  /** What leads to the rules behind a number. */
  readonly renderDoor: (severity: Severity, text: string) => ReactNode;
}

/** Rules that matched, a cell for each severity. */
export function RuleCountCells({ rules, renderDoor }: CellsProps) {
  return severities.map((severity) => (
    <td key={severity} className="num" style={severityColors(severity)}>
      {rules[severity] === 0 ? (
        <span className="faint">·</span>
      ) : (
        <span className={styles.tone}>{renderDoor(severity, count(rules[severity]))}</span>
      )}
    </td>
  ));
}
