// Runs before the first paint, as a file because the content security policy allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('svc-color-scheme');
  } catch {
    // Storage is switched off: the system's preference decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && !matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
