import type { FindingRow } from '@svc/contracts';
import { isCounting } from '@svc/domain';
import { Suspense, useState } from 'react';
import { useReport } from '../../../api/report-source.ts';
import { count } from '../../../ui/format.ts';
import { lazy } from '../../../ui/lazy.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import styles from './review-bar.module.css';
import { useReviewsHere } from './review-states.tsx';

const SuppressDialog = lazy(async () => ({ default: (await import('./suppress-dialog.tsx')).SuppressDialog }));

/** Whether a finding is suppressed, and the way to have it so. */
export function Suppressing({ finding }: { finding: FindingRow }) {
  const { jobId } = useReport();
  const { decide } = useReviewsHere();
  const [isOpen, setOpen] = useState(false);
  const { count: all, suppressed = 0, rule_id: ruleId } = finding;
  const canSuppress = decide !== null && jobId !== null && ruleId !== null && isCounting(finding);
  if (!canSuppress && suppressed === 0) return null;
  return (
    <p className={styles.line}>
      {suppressed > 0 && (
        <span className="soft">
          {suppressed >= all ? 'Suppressed: it counts nowhere.' : `${count(suppressed)} of the events are suppressed.`}
        </span>
      )}
      {canSuppress && <LinkButton onClick={() => setOpen(true)}>Not in my environment…</LinkButton>}
      {isOpen && jobId !== null && (
        <Suspense fallback={null}>
          <SuppressDialog jobId={jobId} finding={finding} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </p>
  );
}
