import type { AiFact, OutputOf, operations } from '@svc/contracts';
import { IconCircleCheck, IconAlertTriangle } from '@tabler/icons-react';
import { counted } from '../../ui/format.ts';
import styles from './ai-panel.module.css';

/** What of an answer can be verified on sight, in a sentence, with what cannot. */
export function FactList({ facts: { facts, complete } }: { facts: OutputOf<typeof operations.getJobAiFacts> }) {
  const missing = facts.filter((fact) => !fact.in_evidence);
  const Sign = missing.length === 0 ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={styles.facts} role="status">
      <Sign size={18} stroke={1.75} aria-hidden="true" className={missing.length === 0 ? styles.good : styles.warn} />
      <div>
        <p>
          {facts.length === 0
            ? 'The answer names no value that could be held against the evidence.'
            : `${counted(facts.length - missing.length, 'value')} of this answer ${facts.length - missing.length === 1 ? 'is' : 'are'} in evidence, ${missing.length} ${missing.length === 1 ? 'is' : 'are'} not.`}{' '}
          That a value exists does not mean that what is said of it is right.
        </p>
        {missing.length > 0 && <p className="soft">Not in evidence: {listed(missing)}</p>}
        {!complete && (
          <p className="soft">
            Some of what this answer was written from is gone or hidden from you: what was told there counts as not in
            evidence.
          </p>
        )}
      </div>
    </div>
  );
}

function listed(facts: readonly AiFact[]): string {
  const shown = facts.slice(0, 12).map(({ value }) => value);
  return facts.length > shown.length ? `${shown.join(', ')} and ${facts.length - shown.length} more` : shown.join(', ');
}
