import { IconX } from '@tabler/icons-react';
import styles from './filter-chip.module.css';

/** A filter that is in force, in its words; pressing it takes it away. */
export function FilterChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <button type="button" className={styles.chip} aria-label={`Remove filter ${text}`} onClick={onRemove}>
      {text} <IconX size={12} stroke={2} aria-hidden="true" />
    </button>
  );
}
