import { IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './peek.module.css';

/**
 * Something beside the page, which stays in use: it has the focus when it opens, Esc closes it from wherever no other
 * thing is open, and whoever opened it gives the focus back.
 */
export function Peek({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const peek = useRef<HTMLElement>(null);
  useEffect(() => peek.current?.focus(), []);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const { target } = event;
    const isElsewhere =
      target instanceof Element && target.closest('input, textarea, [role="menu"], [aria-modal="true"]');
    if (isElsewhere && !peek.current?.contains(target)) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it takes the focus when it opens
    <aside ref={peek} className={styles.peek} role="dialog" aria-modal="false" aria-label={label} tabIndex={-1}>
      <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
        <IconX size={16} stroke={2} aria-hidden="true" />
      </button>
      {children}
    </aside>,
    document.body,
  );
}
