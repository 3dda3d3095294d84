import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { cx } from '../class-names.ts';
import { LinkButton } from '../link-button.tsx';
import styles from './selection-bar.module.css';

/** What the last deed came to. */
export interface Outcome {
  readonly text: string;
  readonly isBad?: boolean;
  readonly undo?: () => void;
}

/** Tells of it, with the way back. */
export function DeedOutcome({ outcome }: { outcome: Outcome | null }) {
  const Icon = outcome?.isBad ? IconAlertTriangle : IconCheck;
  return (
    <p className={cx(styles.outcome, outcome?.isBad && styles.bad)} role="status">
      {outcome && (
        <>
          <Icon size={14} stroke={2} aria-hidden="true" />
          <span>{outcome.text}</span>
          {outcome.undo && <LinkButton onClick={outcome.undo}>Undo</LinkButton>}
        </>
      )}
    </p>
  );
}
