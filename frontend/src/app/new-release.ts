const KEY = 'svc-reloaded-at';
const AGAIN_MS = 60_000;

/**
 * A page that was open while a new release went out asks for parts that are gone. It is loaded
 * anew, but not twice in a minute: then the part is missing for another reason, and the error shows.
 */
export function reloadOnNewRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    window.location.reload();
  });
}
