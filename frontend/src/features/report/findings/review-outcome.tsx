import '@mantine/core/styles/CloseButton.layer.css';
import { CloseButton } from '@mantine/core';
import { useEffect } from 'react';
import { LinkButton } from '../../../ui/link-button.tsx';
import styles from './review-outcome.module.css';

/** What the last key or click decided. */
export interface Outcome {
  readonly text: string;
  readonly undo: () => void;
}

const SHOWN_MS = 8000;

/** Tells of a decision for a while, and takes it back. */
export function ReviewOutcome({ outcome, onClose }: { outcome: Outcome | null; onClose: () => void }) {
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome, onClose]);
  return (
    <div role="status">
      {outcome && (
        <div className={styles.outcome}>
          <span className="cut">{outcome.text}</span>
          <LinkButton
            onClick={() => {
              outcome.undo();
              onClose();
            }}
          >
            Undo
          </LinkButton>
          <CloseButton size="sm" aria-label="Close" onClick={onClose} />
        </div>
      )}
    </div>
  );
}
