import { createContext, useContext, type ReactNode } from 'react';
import { cx } from './class-names.ts';
import { doorKindNames, type DoorValue } from './door-value.ts';
import styles from './door.module.css';

/** What opens a value beside the page; null where nothing does. */
const Opening = createContext<((value: DoorValue, from: HTMLElement) => void) | null>(null);

/** Around what has doors: how they open. The focus goes back to the element that a door was opened from. */
export const DoorProvider = Opening.Provider;

export function useDoor(): ((value: DoorValue, from: HTMLElement) => void) | null {
  return useContext(Opening);
}

/** A value that opens beside the page; plain text where there is nothing to open it. */
export function Door({
  to,
  children,
  className,
  hint,
}: {
  to: DoorValue;
  children?: ReactNode;
  className?: string | undefined;
  /** What is known of it, for whom points at it. */
  hint?: string | undefined;
}) {
  const open = useDoor();
  const shown = children ?? to.value;
  if (open === null) return <span className={className}>{shown}</span>;
  return (
    <button
      type="button"
      className={cx(styles.door, className)}
      aria-haspopup="dialog"
      data-hint={hint}
      aria-label={`${doorKindNames[to.kind]} ${typeof shown === 'string' ? shown : to.value}`}
      onClick={(event) => {
        // Rows have deeds of their own.
        event.stopPropagation();
        open(to, event.currentTarget);
      }}
    >
      {shown}
    </button>
  );
}
