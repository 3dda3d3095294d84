import { useSyncExternalStore } from 'react';

const media = typeof window === 'undefined' ? null : window.matchMedia('print');

/** Whether the page is being printed, or shown as if it were; what follows from it is drawn before the print is taken. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting || media?.matches === true);
}

let isPrinting = false;

function subscribe(onChange: () => void): () => void {
  const begin = () => {
    isPrinting = true;
    onChange();
  };
  const end = () => {
    isPrinting = false;
    onChange();
  };
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  media?.addEventListener('change', onChange);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
    media?.removeEventListener('change', onChange);
  };
}
