import { useEffectEvent, useLayoutEffect } from 'react';

/** What a key does; false leaves the key to the browser. */
export type KeyAction = (event: KeyboardEvent) => unknown;

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';

/**
 * Keys of a page, by the names that `KeyboardEvent.key` has for them, so that `?` is found on every layout. Single
 * keys rest while someone types and while a dialog is open; `mod+k` is K with Ctrl or ⌘, wherever one is.
 */
export function useKeys(keys: Readonly<Record<string, KeyAction>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, shiftKey } = event;
    const isMod = event.ctrlKey || event.metaKey;
    const action = keys[isMod ? `mod+${key.toLowerCase()}` : key];
    if (!action || event.altKey || (isMod && shiftKey) || event.defaultPrevented) return;
    const isBusy = target instanceof Element && target.closest(`${typing}, [role="dialog"], [role="menu"]`);
    if (isBusy && !isMod) return;
    if (action(event) !== false) event.preventDefault();
  });
  // What is hidden while the next part of the page is fetched keeps its effects, but not those of its layout.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
