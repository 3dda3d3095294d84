/** The first that fits: most browsers also name those that they descend from. */
const programs = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chromium|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const systems = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** What a person calls the program behind a `User-Agent`, such as “Firefox on Windows” or “curl”. */
export function clientName(userAgent = ''): string {
  const find = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const program = find(programs) ?? /^[\w.-]{1,40}/.exec(userAgent)?.[0];
  if (program === undefined) return 'Unknown program';
  const system = find(systems);
  return system === undefined ? program : `${program} on ${system}`;
}
