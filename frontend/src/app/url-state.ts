/** Search parameters as plain text, `severity=critical,high`, so that addresses read well and can be typed. */
export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes what `readSearch` reads; undefined and empty values are left out, commas stay commas. */
export function writeSearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text.replaceAll('%2C', ',')}`;
}
