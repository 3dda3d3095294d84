import { useEffect, useEffectEvent } from 'react';

/** What a key does; false leaves the key to the browser. */
export type KeyAction = (event: KeyboardEvent) => unknown;

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/**
 * Single keys of a page, by the names that `KeyboardEvent.key` has for them, so that `?` is found on
 * every layout. They rest while someone types, while a dialog is open, and with Ctrl, Alt or ⌘.
 */
export function useKeys(keys: Readonly<Record<string, KeyAction>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key];
    const { target } = event;
    if (!action || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest(`${typing}, [role="dialog"], [role="menu"]`)) return;
    if (action(event) !== false) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
