import { severities, type JobStatus, type Severity, type SeveritySummary } from '@svc/domain';
import type { CSSProperties } from 'react';
import { cx } from './class-names.ts';
import { count, sentence } from './format.ts';
import styles from './severity.module.css';

/** Custom properties that give an element the three colours of a severity. */
export function severityColors(severity: Severity): CSSProperties {
  return {
    '--tone': `var(--${severity})`,
    '--tone-fill': `var(--${severity}-fill)`,
    '--tone-wash': `var(--${severity}-wash)`,
  } as CSSProperties;
}

/** The letter of a severity on its colour; colour is never the only carrier. */
export function SeverityMark({ severity, large }: { severity: Severity; large?: boolean }) {
  return (
    <span
      className={cx(styles.mark, large && styles.large)}
      style={severityColors(severity)}
      role="img"
      aria-label={sentence(severity)}
      data-hint={sentence(severity)}
    >
      {severity.charAt(0).toUpperCase()}
    </span>
  );
}

/** Worst severity that has a match, or null when nothing matched. */
export function worstOf(summary: SeveritySummary): Severity | null {
  return severities.find((severity) => summary[severity] > 0) ?? null;
}

/** `C 3 · H 12`: the severities that have matches, in words for screen readers. */
export function severityWords(summary: SeveritySummary): string {
  const present = severities.filter((severity) => summary[severity] > 0);
  return present.length === 0
    ? 'No matches'
    : present.map((severity) => `${count(summary[severity])} ${severity}`).join(', ');
}

/** Matched events by severity as one bar; widths grow with the logarithm, so that a few critical ones stay visible. */
export function SeverityBar({ summary, tall }: { summary: SeveritySummary; tall?: boolean }) {
  const present = severities.filter((severity) => summary[severity] > 0);
  const words = severityWords(summary);
  return (
    <span className={cx(styles.bar, tall && styles.tall)} role="img" aria-label={words} data-hint={words}>
      {present.map((severity) => (
        <span
          key={severity}
          className={styles.part}
          style={{ ...severityColors(severity), flexGrow: 1 + Math.log2(summary[severity]) }}
        />
      ))}
    </span>
  );
}

/** The bar with the two worst counts beside it, for table rows; only a finished job can have no matches. */
export function SeverityCell({ summary, status }: { summary: SeveritySummary; status: JobStatus }) {
  const present = severities.filter((severity) => summary[severity] > 0).slice(0, 2);
  if (present.length === 0) {
    return <span className="faint">{status === 'completed' || status === 'partial' ? 'No matches' : '–'}</span>;
  }
  return (
    <span className={styles.cell}>
      <SeverityBar summary={summary} />
      <span className={styles.counts} aria-hidden="true">
        {present.map((severity) => (
          <span key={severity} className={styles.count} style={severityColors(severity)}>
            {severity.charAt(0).toUpperCase()} {count(summary[severity])}
          </span>
        ))}
      </span>
    </span>
  );
}
