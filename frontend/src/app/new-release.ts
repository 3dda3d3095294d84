import { hasUnsavedWork } from '../api/unsaved-work.ts';

const KEY = 'svc-reloaded-at';
const AGAIN_MS = 60_000;

/** What stands in the way of a part of the page that is missing. */
export type Obstacle = 'no connection' | 'new release' | 'unknown';

/** Why a part of this page cannot be fetched: asks the service for the page as it is now. */
export async function obstacle(): Promise<Obstacle> {
  const now = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    .then((response) => (response.ok ? response.text() : null))
    .catch(() => null);
  if (now === null) return 'no connection';
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  return script && !now.includes(script) ? 'new release' : 'unknown';
}

/**
 * A page that was open while a new release went out is loaded anew, so that it has its parts again:
 * never over unsaved work, and not twice in a minute. False where it stays.
 */
export function reloadForNewRelease(): boolean {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (hasUnsavedWork() || Date.now() - last < AGAIN_MS) return false;
  sessionStorage.setItem(KEY, String(Date.now()));
  window.location.reload();
  return true;
}
