import type { ThreatReport } from '@svc/contracts';
import { severities } from '@svc/domain';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { cx } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Door } from '../../ui/door.tsx';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { WithAnalytics } from './analytics-state.tsx';
import { doorOf } from '../../ui/door-of.ts';
import styles from './heuristics-panel.module.css';

type Category = ThreatReport['categories'][string];

const fewIndicators = 8;

/** What the heuristics found in matched events, by kind of behaviour, worst first. */
export function HeuristicsPanel() {
  return (
    <WithAnalytics>
      {({ threat_detection: report }) =>
        report !== undefined && report.total_categories > 0 ? (
          inOrder(report).map(([key, category]) => <CategoryCard key={key} category={category} />)
        ) : (
          <div className="card">
            <EmptyState icon={IconShieldCheck} title="No heuristic fired">
              They look at the events that rules matched: command lines, paths, names and ports.
            </EmptyState>
          </div>
        )
      }
    </WithAnalytics>
  );
}

function inOrder({ categories }: ThreatReport): [string, Category][] {
  const rank = ({ severity }: Category): number => severities.indexOf(severity);
  return Object.entries(categories).sort(([, a], [, b]) => rank(a) - rank(b) || b.total - a.total);
}

/** Indicators that name a program have its path, or its name. */
function fieldOf(tag: string): string {
  return tag.endsWith('.EXE') ? 'Image' : tag;
}

function CategoryCard({ category: { label, description, severity, total, indicators } }: { category: Category }) {
  const [all, setAll] = useState(false);
  const shown = all ? indicators : indicators.slice(0, fewIndicators);
  return (
    <section className={cx('card', styles.category)} aria-label={label}>
      <header className={styles.head}>
        <SeverityMark severity={severity} large />
        <h2 className={styles.label}>{label}</h2>
        <span className={styles.total}>
          {counted(indicators.length, 'indicator')} in {counted(total, 'event')}
        </span>
        <p className={styles.description}>{description}</p>
      </header>
      <ul className={styles.indicators}>
        {shown.map(({ tag, value, count: events, severity: own }) => (
          <li key={`${tag} ${value}`} className={styles.indicator}>
            <SeverityMark severity={own} />
            <span className={styles.tag}>{tag}</span>
            <code className={styles.value}>
              <Door to={doorOf(fieldOf(tag), value) ?? { kind: 'other', value }}>{value}</Door>
            </code>
            <span className={styles.count} data-hint={counted(events, 'event')}>
              {count(events)}
            </span>
            <CopyButton text={value} what={tag} />
          </li>
        ))}
      </ul>
      {indicators.length > fewIndicators && (
        <LinkButton className={styles.more} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${count(indicators.length)}`}
        </LinkButton>
      )}
    </section>
  );
}
