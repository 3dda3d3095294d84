import type { CaseDetails } from '@svc/contracts';
import { SeverityMark } from '../../ui/severity.tsx';
import styles from './case-head.module.css';

/** What the case is, how bad, and whose. */
export function CaseHead({ of }: { of: CaseDetails }) {
  return (
    <header className={styles.head}>
      <h1 className={styles.name}>{of.name}</h1>
      <div className={styles.facts}>
        {of.severity && <SeverityMark severity={of.severity} />}
        <span>{of.status}</span>
        <span>{of.is_shared ? 'shared with all members' : 'not shared'}</span>
        {of.owner && <span>of {of.owner.name}</span>}
      </div>
    </header>
  );
}
