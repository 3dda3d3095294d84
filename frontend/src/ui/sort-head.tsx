import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { cx } from './class-names.ts';
import styles from './sort-head.module.css';

export type Direction = 'ascending' | 'descending';

interface SortHeadProps {
  readonly label: string;
  /** How the list goes by this column; undefined where it is sorted by another. */
  readonly direction: Direction | undefined;
  /** How it goes at the first click. */
  readonly first: Direction;
  readonly onSort: () => void;
  readonly isNumber?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly className?: string | undefined;
}

/** The head of a column that a list can be sorted by: a click does, and another turns the list round. */
export function SortHead({ label, direction, first, onSort, isNumber = false, hint, className }: SortHeadProps) {
  const Sign = (direction ?? first) === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      className={cx(isNumber && 'num', className)}
      data-hint={hint}
      {...(direction && { 'aria-sort': direction })}
    >
      <button type="button" className={cx(styles.sort, direction && styles.sorted)} onClick={onSort}>
        {!isNumber && label}
        <Sign size={12} stroke={2} aria-hidden="true" />
        {isNumber && label}
      </button>
    </th>
  );
}
