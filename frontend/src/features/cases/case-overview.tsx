import type { CaseDetails } from '@svc/contracts';
import { Written } from '../../ui/written.tsx';
import { Card } from './case-card.tsx';
import { CaseNarrative } from './case-narrative.tsx';
import styles from './case-overview.module.css';
import { CasePivots } from './case-pivots.tsx';
import { CaseRollUp } from './case-roll-up.tsx';

/** What is said of the case, what its jobs have found, and what may belong into it. */
export function CaseOverview({ of }: { of: CaseDetails }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Card title="Summary">
          {of.summary === null ? (
            <p className="soft">Nobody has written a summary yet: it goes under ⋯, Name, summary, severity.</p>
          ) : (
            <Written text={of.summary} markdown={of.markdown} />
          )}
        </Card>
        <CaseNarrative of={of} />
      </div>
      <div className={styles.column}>
        <Card title="What its jobs have found">
          <CaseRollUp of={of} />
        </Card>
        <Card title="What may belong to it">
          <CasePivots id={of.id} />
        </Card>
      </div>
    </div>
  );
}
