import type { FindingRow } from '@svc/contracts';
import type { ReviewState } from '@svc/domain';
import { useCallback, useState, type ReactNode } from 'react';
import type { Reviews } from '../../../api/reviews.ts';
import type { KeyAction } from '../../../ui/use-keys.ts';
import { ReviewOutcome, type Outcome } from './review-outcome.tsx';
import { stateKeys, stateNames } from './review-states.tsx';

type Keys = Readonly<Record<string, KeyAction>>;

/**
 * Keys that decide about a finding, where a key of what it already is makes it new again; and what tells of the
 * last decision and takes it back. `decided` is told before the page shows it.
 */
export function useDecidingByKey(
  { of, decide }: Reviews,
  decided: (state: ReviewState) => void,
): readonly [outcome: ReactNode, keys: (finding: FindingRow) => Keys] {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const close = useCallback(() => setOutcome(null), []);
  const press = ({ id, rule_name: rule }: FindingRow, wanted: ReviewState) => {
    const { state: before = 'new', remembered = false } = of.get(id) ?? {};
    const state = before === wanted ? 'new' : wanted;
    decided(state);
    decide?.({ finding_ids: [id], state, remember: false });
    setOutcome({
      text: `${stateNames[state]}: ${rule}`,
      undo: () => decide?.({ finding_ids: [id], state: before, remember: remembered }),
    });
  };
  const keys = (finding: FindingRow): Keys =>
    Object.fromEntries(Object.entries(stateKeys).map(([key, state]) => [key, () => press(finding, state)]));
  return [<ReviewOutcome key="outcome" outcome={outcome} onClose={close} />, keys];
}
