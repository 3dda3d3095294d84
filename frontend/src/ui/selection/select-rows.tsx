import { useEffect, useRef, type ChangeEvent } from 'react';
import styles from './select-rows.module.css';

/** Pixels of the column of boxes. */
export const SELECT_WIDTH = 36;

interface SelectRowProps {
  /** What the row is about. */
  readonly name: string;
  readonly isChosen: boolean;
  /** A range goes from the row touched last to this one. */
  readonly onToggle: (isRange: boolean) => void;
}

/** Chooses a row; with shift, all from the one touched last. */
export function SelectRow({ name, isChosen, onToggle }: SelectRowProps) {
  const toggle = ({ nativeEvent }: ChangeEvent) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  return (
    <label className={styles.box}>
      <input type="checkbox" aria-label={`Select ${name}`} checked={isChosen} onChange={toggle} />
    </label>
  );
}

interface SelectAllProps {
  /** What the rows are, in the plural. */
  readonly things: string;
  readonly chosen: number;
  readonly of: number;
  readonly onToggleAll: (isChosen: boolean) => void;
}

/** Chooses all rows of the page, or none of them. */
export function SelectAll({ things, chosen, of, onToggleAll }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = chosen > 0 && chosen < of;
  useEffect(() => {
    // No attribute says so: only a script can.
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label={`Select all ${things} of this page`}
        checked={chosen === of}
        onChange={() => onToggleAll(chosen < of)}
      />
    </label>
  );
}
