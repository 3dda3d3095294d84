import { severities, type Severity, type SeveritySummary } from '@svc/domain';
import { cx } from './class-names.ts';
import { count, counted, sentence } from './format.ts';
import { severityColors } from './severity.tsx';
import { toggledSeverity } from './toggled-severity.ts';
import styles from './severity-chips.module.css';

interface SeverityChipsProps {
  /** None of them is all. */
  readonly chosen: readonly Severity[] | undefined;
  readonly onChange: (changes: { readonly severity: readonly Severity[] | undefined }) => void;
  /** Findings of each, which stand for its name, as wide as there is room; without, the names stand alone. */
  readonly findings?: SeveritySummary;
}

/** The severities that are shown, each to be taken or left by itself. */
export function SeverityChips({ chosen, onChange, findings }: SeverityChipsProps) {
  return (
    <div className={cx(styles.chips, findings && styles.wide)} role="group" aria-label="Severities">
      {severities.map((severity) => (
        <button
          key={severity}
          type="button"
          className={styles.chip}
          style={severityColors(severity)}
          aria-pressed={chosen?.includes(severity) ?? false}
          data-hint={findings && `${sentence(severity)}: ${counted(findings[severity], 'finding')}`}
          disabled={findings?.[severity] === 0 && !chosen?.includes(severity)}
          onClick={() => onChange({ severity: toggledSeverity(chosen, severity) })}
        >
          {findings ? (
            <Counted severity={severity} findings={findings[severity]} />
          ) : (
            <span className={styles.name}>{sentence(severity)}</span>
          )}
        </button>
      ))}
    </div>
  );
}

function Counted({ severity, findings }: { severity: Severity; findings: number }) {
  return (
    <>
      <span className={styles.letter} aria-hidden="true">
        {severity.charAt(0).toUpperCase()}
      </span>
      <span className="sr-only">{sentence(severity)}: </span>
      {count(findings)}
    </>
  );
}
