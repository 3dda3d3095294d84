import type { JobRow } from '@svc/contracts';
import { useEffect, useRef, type ChangeEvent } from 'react';
import styles from './jobs-table.module.css';
import type { Selection } from './selection.ts';

/** Pixels of the column of boxes. */
export const SELECT_WIDTH = 36;

/** Which rows are chosen, and what changes that. */
export interface RowSelection {
  readonly selection: Selection<JobRow>;
  /** A range goes from the row touched last to this one. */
  readonly onToggle: (job: JobRow, isRange: boolean) => void;
  readonly onToggleAll: (isChosen: boolean) => void;
}

interface SelectRowProps {
  readonly job: JobRow;
  readonly isChosen: boolean;
  readonly selecting: RowSelection;
}

/** Chooses a row; with shift, all from the one touched last. */
export function SelectRow({ job, isChosen, selecting }: SelectRowProps) {
  const toggle = ({ nativeEvent }: ChangeEvent) =>
    selecting.onToggle(job, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  return (
    <label className={styles.box}>
      <input type="checkbox" aria-label={`Select ${job.filename}`} checked={isChosen} onChange={toggle} />
    </label>
  );
}

/** Chooses all rows of the page, or none of them. */
export function SelectAll({ rows, selecting }: { rows: readonly JobRow[]; selecting: RowSelection }) {
  const box = useRef<HTMLInputElement>(null);
  const chosen = rows.filter(({ job_id: id }) => selecting.selection.jobs.has(id)).length;
  const isSome = chosen > 0 && chosen < rows.length;
  useEffect(() => {
    // No attribute says so: only a script can.
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all jobs of this page"
        checked={chosen === rows.length}
        onChange={() => selecting.onToggleAll(chosen < rows.length)}
      />
    </label>
  );
}
